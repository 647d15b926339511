// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln doctor: lists the tools and devices found on this machine, one line each.
#include "../command.h"
#include "../options.h"
#include "../output.h"

#include <architectures/architectures.h>
#include <host/host.h>
#include <kiln/cache.h>
#include <kiln/worker.h>
#include <ptx/ptx.h>
#include <targets/targets.h>

namespace kiln::tool {

namespace {

std::string line(std::string_view name, std::string_view value, std::string_view where = {}) {
  return where.empty() ? fmt::format("{}: {}\n", name, value)
                       : fmt::format("{}: {} ({})\n", name, value, where);
}

/// The CUDA toolkits that can assemble for the architecture, as text.
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

/// Lists every architecture, one line each. docs/architectures.md has the same table.
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

Result<void> doctor() {
  std::string out =
      line("Kiln", KILN_VERSION, fmt::format("build {}: builds share no cache entry", build_id()));
  out += line("LLVM", KILN_LLVM_VERSION, "linked in");
  std::string names;
  for (const Target *target : all_targets())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", target->name());
  out += line("targets", names);
  auto host = find_target("native")->check(TargetSpec());
  out += host.ok() ? line("CPU", find_target(*host).cpu(*host))
                   : line("CPU", "unknown", host.error().diagnostics()[0].message);

  for (const ToolkitPart &part : describe_cuda_toolkit())
    out += part.found.path.empty()
               ? line(part.name, "not found", fmt::format("looked in {}", part.found.looked_in))
               : line(part.name, part.found.path, fmt::format("found by {}", part.found.source));
  auto driver = CudaDriver::open();
  auto assembler = find_target("ptx")->make_assembler();
  if (assembler.ok())
    out += line("assembler", (*assembler)->identity(), (*assembler)->path());
  else if (driver.ok())
    out += line("assembler", (*driver)->identity(), assembler.error().diagnostics()[0].message);
  else
    out += line("assembler", "none", assembler.error().diagnostics()[0].message);

  if (driver.ok()) {
    out += line("CUDA driver", (*driver)->identity(), CudaDriver::library_name());
    for (int n = 0; n < (*driver)->device_count(); n++) {
      auto gpu = CudaDevice::describe(**driver, n);
      const std::string name = fmt::format("GPU {}", n);
      out += gpu.ok() ? line(name, fmt::format("{}, sm_{}", gpu->name, gpu->sm))
                      : line(name, gpu.error().diagnostics()[0].message);
    }
  } else {
    out += line("CUDA driver", "none that can be used", driver.error().diagnostics()[0].message);
    out += line("GPUs", "none detected");
  }
  SessionOptions options;
  std::string trouble;
  options.verbosity = LogLevel::Warning;
  options.log = [&](LogLevel, std::string_view warning) { trouble = warning; };
  if (auto folder = CacheFolder::open(options); !folder.ok())
    out += line("cache", "in memory only", "KILN_CACHE_DIR is empty, or there is no home folder");
  else
    out += line("cache", folder->path(),
                !trouble.empty()      ? trouble
                : folder->is_usable() ? fmt::format("up to {} MiB", folder->budget() >> 20)
                                      : "made when something is first kept");
  return write_result({}, out);
}

} // namespace

Action doctor_command(CLI::App &app) {
  auto wants_architectures = std::make_shared<bool>(false);
  app.add_flag("--architectures", *wants_architectures,
               "the GPU architectures: PTX ISA, toolkits and driver that know them, limits");
  return [wants_architectures] { return *wants_architectures ? list_all_architectures() : doctor(); };
}

} // namespace kiln::tool
