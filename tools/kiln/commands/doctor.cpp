// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln doctor: lists the tools and devices found on this machine, and what Kiln can do with them.
#include "../command.h"
#include "../json_object.h"
#include "../options.h"
#include "../output.h"

#include <architectures/architectures.h>
#include <fmt/ranges.h>
#include <host/host.h>
#include <kiln/cache.h>
#include <kiln/runtime.h>
#include <kiln/worker.h>
#include <ptx/ptx.h>
#include <targets/targets.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace kiln::tool {

namespace {

/// Describes the range of CUDA toolkits that can assemble for an architecture, such as "from 12.8".
std::string toolkits_of(const ArchitectureInfo &info, int isa) {
  if (info.last_cuda) return "up to " + cuda_text(info.last_cuda);
  const PtxIsaInfo *first = find_isa(isa);
  return first ? "from " + cuda_text(first_toolkit(*first)) : "all";
}

std::string gpus_of(GpuArch arch) {
  std::string list;
  for (const ArchitectureInfo &gpu : architectures())
    if (cubin_runs_on(arch, gpu.sm))
      list += (list.empty() ? "" : ", ") + arch_name({gpu.sm, ArchVariant::Plain});
  return list;
}

/// Prints a table of all GPU architectures that Kiln knows. docs/architectures.md has the same table.
Result<void> list_all_architectures() {
  constexpr std::string_view form = "{:<12}  {:<7}  {:<13}  {:<10}  {:<5}  {:<6}  {:<9}  {:<12}  {}\n";
  std::string out = fmt::format(form, "architecture", "PTX ISA", "CUDA toolkits", "driver", "warps", "blocks",
                                "KiB of SM", "KiB of block", "cubins run on");
  for (const ArchitectureInfo &info : architectures())
    for (ArchVariant variant : {ArchVariant::Plain, ArchVariant::Family, ArchVariant::Specific}) {
      const GpuArch arch{info.sm, variant};
      const int isa = first_isa(arch);
      if (!isa) continue;
      const PtxIsaInfo *version = find_isa(isa);
      out += fmt::format(form, arch_name(arch), isa_text(isa), toolkits_of(info, isa),
                         version ? version->driver : "any", info.limits.warps, info.limits.blocks,
                         info.limits.shared_kib, info.limits.block_shared_kib, gpus_of(arch));
    }
  return write_result({}, out);
}

/// A tool, device or folder that kiln doctor looked for. `where`: how it was found, or
/// where kiln doctor searched.
struct Finding {
  std::string name, value, where;
  bool is_found = true;
};

/// A feature of Kiln, such as launches on a GPU, and whether this machine supports it.
struct Ability {
  std::string name;
  bool is_available = true;
  std::string reason = {}; ///< why the feature is missing or limited
  std::string remedy = {};
};

struct Diagnosis {
  std::vector<Finding> findings;
  std::vector<Ability> abilities;
};

Ability unable(std::string name, const Error &error) {
  const Diagnostic &first = error.diagnostics()[0];
  return {std::move(name), false, first.message, first.hint};
}

void look_at_kiln(Diagnosis &found) {
  found.findings.push_back({"Kiln", KILN_VERSION,
                            fmt::format("build {}; another build cannot use its cache entries", build_id())});
  found.findings.push_back({"LLVM", KILN_LLVM_VERSION, "linked in"});
  std::vector<std::string_view> names;
  for (const Target *target : all_targets()) names.push_back(target->name());
  found.findings.push_back({"targets", fmt::format("{}", fmt::join(names, ", ")), ""});
  auto host = find_target("native")->check(TargetSpec());
  if (host.ok()) {
    const Target &target = find_target(*host);
    found.findings.push_back({"CPU", std::string(target.cpu(*host)), std::string(target.triple(*host))});
    found.abilities.push_back({"compile and run on the CPU"});
  } else {
    found.findings.push_back({"CPU", "unknown", host.error().diagnostics()[0].message, false});
    found.abilities.push_back(unable("compile and run on the CPU", host.error()));
  }
#ifdef KILN_BUILD_PROGRAMS
  found.abilities.push_back({"run programs (script, repl)"});
#else
  found.abilities.push_back({"run programs (script, repl)", false, "this build has no programs",
                             "build Kiln with KILN_BUILD_PROGRAMS=ON"});
#endif
}

void look_at_toolkit(Diagnosis &found, const Result<std::shared_ptr<CudaDriver>> &driver) {
  constexpr const char *install =
      "install NVIDIA's CUDA toolkit or its PyPI package nvidia-cuda-nvcc, or name its folder in KILN_CUDA_HOME";
  bool has_libdevice = false;
  for (const ToolkitPart &part : describe_cuda_toolkit()) {
    const bool is_found = !part.found.path.empty();
    has_libdevice |= is_found && part.name == "libdevice";
    const char *foreign = part.is_foreign ? "; it is for another kind of CPU, and cannot be loaded here" : "";
    found.findings.push_back(
        is_found ? Finding{part.name, part.found.path,
                           fmt::format("found by {}{}", part.found.source, foreign), !part.is_foreign}
                 : Finding{part.name, "not found", fmt::format("looked in {}", part.found.looked_in), false});
  }
  found.abilities.push_back({"compile PTX"});
  if (has_libdevice)
    found.abilities.push_back({"compile calls of sin, exp and others for GPUs"});
  else
    found.abilities.push_back(
        {"compile calls of sin, exp and others for GPUs", false, "there is no libdevice", install});

  auto assembler = find_target("ptx")->make_assembler();
  if (assembler.ok()) {
    found.findings.push_back(
        {"assembler", std::string((*assembler)->identity()), std::string((*assembler)->path())});
    found.abilities.push_back({"assemble cubins"});
    return;
  }
  const std::string why = assembler.error().diagnostics()[0].message;
  found.findings.push_back(
      {"assembler", driver.ok() ? std::string((*driver)->identity()) : "none", why, driver.ok()});
  found.abilities.push_back(unable("assemble cubins", assembler.error()));
}

void look_at_gpus(Diagnosis &found, const Result<std::shared_ptr<CudaDriver>> &driver) {
  if (!driver.ok()) {
    found.findings.push_back(
        {"CUDA driver", "none that can be used", driver.error().diagnostics()[0].message, false});
    found.findings.push_back({"GPUs", "none detected", "", false});
    Ability none = unable("run on a GPU", driver.error());
    none.remedy = "install NVIDIA's driver, or name its library in KILN_CUDA_DRIVER; --device cpu needs none";
    found.abilities.push_back(std::move(none));
    return;
  }
  found.findings.push_back(
      {"CUDA driver", std::string((*driver)->identity()), std::string(CudaDriver::library_name())});
  Ability run{"run on a GPU", false, "the driver shows no GPU", "CUDA_VISIBLE_DEVICES may hide it"};
  for (int n = 0; n < (*driver)->device_count(); n++) {
    auto gpu = CudaDevice::describe(**driver, n);
    const std::string name = fmt::format("GPU {}", n);
    if (gpu.ok()) {
      found.findings.push_back({name, fmt::format("{}, sm_{}", gpu->name, gpu->sm), ""});
      run = {"run on a GPU"};
    } else {
      found.findings.push_back({name, gpu.error().diagnostics()[0].message, "", false});
      if (!run.is_available) run = unable("run on a GPU", gpu.error());
    }
  }
  found.abilities.push_back(run);
}

void look_at_opencl(Diagnosis &found) {
  constexpr const char *ability = "run on OpenCL";
  auto fails = [&](const Error &error) {
    found.findings.push_back(
        {"OpenCL devices", "none that can be used", error.diagnostics()[0].message, false});
    found.abilities.push_back(unable(ability, error));
  };
  const auto runtime = Runtime::open();
  if (!runtime.ok()) return fails(runtime.error());
  const auto devices = (*runtime)->devices(DeviceKind::OpenCl);
  if (!devices.ok()) return fails(devices.error());
  Ability run{ability, false};
  for (const GpuInfo &info : *devices) {
    found.findings.push_back({fmt::format("OpenCL device {}", info.number), info.name, info.driver});
    if (run.is_available) continue;
    const auto device = (*runtime)->device(text_of(DeviceName{DeviceKind::OpenCl, info.number}));
    run = device.ok() ? Ability{ability} : unable(ability, device.error());
  }
  if (const auto target = target_for(DeviceKind::OpenCl); !target.ok()) run = unable(ability, target.error());
  found.abilities.push_back(run);
}

/// Tests that a missing folder can be made: makes a folder in its nearest existing parent, and removes it.
/// Returns the reason why not; empty: it can be made.
std::string test_making(std::filesystem::path folder) {
  std::error_code unknown;
  while (!std::filesystem::exists(folder, unknown) && folder.has_relative_path())
    folder = folder.parent_path();
  std::string trial = (folder / ".kiln-doctor-XXXXXX").string();
  if (!::mkdtemp(trial.data()))
    return fmt::format("{} cannot be written to: {}", folder.string(), std::strerror(errno));
  ::rmdir(trial.c_str());
  return {};
}

void look_at_cache(Diagnosis &found) {
  SessionOptions options;
  std::string trouble;
  options.verbosity = LogLevel::Warning;
  options.log = [&](LogLevel, std::string_view warning) { trouble = warning; };
  auto folder = CacheFolder::open(options);
  constexpr const char *ability = "keep compiled code on disk";
  if (!folder.ok()) {
    constexpr const char *why = "KILN_CACHE_DIR is empty, or there is no home folder";
    found.findings.push_back({"cache", "in memory only", why, false});
    found.abilities.push_back({ability, false, why, "name a folder in KILN_CACHE_DIR"});
    return;
  }
  const bool is_usable = folder->is_usable();
  if (!is_usable && trouble.empty()) trouble = test_making(std::filesystem::absolute(folder->path()));
  found.findings.push_back({"cache", folder->path(),
                            !trouble.empty() ? trouble
                            : is_usable      ? fmt::format("up to {} MiB", folder->budget() >> 20)
                                             : "made when something is first kept",
                            trouble.empty()});
  if (trouble.empty())
    found.abilities.push_back({ability});
  else
    found.abilities.push_back({ability, false, trouble, "name another folder in KILN_CACHE_DIR"});
}

std::string text_of(const Diagnosis &found) {
  std::string out;
  for (const Finding &each : found.findings)
    out += each.where.empty() ? fmt::format("{}: {}\n", each.name, each.value)
                              : fmt::format("{}: {} ({})\n", each.name, each.value, each.where);
  out += "\nThis machine can:\n";
  for (const Ability &each : found.abilities) {
    out +=
        fmt::format("  {}: {}\n", each.name, each.is_available ? "yes" : fmt::format("no: {}", each.reason));
    if (!each.remedy.empty() && !each.is_available) out += fmt::format("    {}\n", each.remedy);
  }
  return out;
}

std::string json_of(const Diagnosis &found) {
  std::vector<JsonObject> findings, abilities;
  for (const Finding &each : found.findings)
    findings.push_back(JsonObject()
                           .add("name", each.name)
                           .add("found", each.is_found)
                           .add("value", each.value)
                           .add("detail", each.where));
  for (const Ability &each : found.abilities)
    abilities.push_back(JsonObject()
                            .add("name", each.name)
                            .add("available", each.is_available)
                            .add("reason", each.reason)
                            .add("remedy", each.remedy));
  return JsonObject()
      .add("version", KILN_VERSION)
      .add("build", std::string(build_id()))
      .add("llvm_version", KILN_LLVM_VERSION)
      .add("findings", findings)
      .add("abilities", abilities)
      .line();
}

Result<void> doctor(bool json) {
  Diagnosis found;
  look_at_kiln(found);
  const auto driver = CudaDriver::open();
  look_at_toolkit(found, driver);
  look_at_gpus(found, driver);
  look_at_opencl(found);
  look_at_cache(found);
  return write_result({}, json ? json_of(found) : text_of(found));
}

} // namespace

Action doctor_command(CLI::App &app) {
  struct Options {
    bool architectures = false, json = false;
  };
  auto options = std::make_shared<Options>();
  app.add_flag("--architectures", options->architectures,
               "the GPU architectures: PTX ISA, toolkits and driver that know them, limits");
  add_json_to(app, options->json);
  return [options]() -> Result<void> {
    if (options->architectures && options->json)
      return usage_error("--architectures is a table for people: leave --json out");
    return options->architectures ? list_all_architectures() : doctor(options->json);
  };
}

} // namespace kiln::tool
