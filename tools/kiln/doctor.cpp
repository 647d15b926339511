// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was found on this machine, a line each.
#include "commands.h"
#include "output.h"

#include <host/host.h>
#include <ptx/ptx.h>
#include <targets/targets.h>

namespace kiln::tool {

namespace {

std::string line(std::string_view name, std::string_view value, std::string_view where = {}) {
  return where.empty() ? fmt::format("{}: {}\n", name, value) : fmt::format("{}: {} ({})\n", name, value, where);
}

/// The few functions of the CUDA driver that tell what there is.
class DriverQuery {
public:
  explicit DriverQuery(const DynamicLibrary &library) : library_(library) {}

  std::string version() const {
    int version = 0;
    if (call("cuDriverGetVersion", &version) != 0) return "of unknown version";
    return fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
  }

  std::string gpus() const {
    int count = 0;
    if (int code = call("cuInit", 0u); code != 0) return line("GPUs", fmt::format("none (the driver's cuInit gives error {})", code));
    if (call("cuDeviceGetCount", &count) != 0 || count == 0) return line("GPUs", "none");
    std::string out;
    for (int i = 0; i < count; i++) {
      char name[256] = "unknown";
      int device = 0, major = 0, minor = 0;
      call("cuDeviceGet", &device, i);
      call("cuDeviceGetName", name, int(sizeof name - 1), device);
      call("cuDeviceGetAttribute", &major, 75, device); // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
      call("cuDeviceGetAttribute", &minor, 76, device); // ..._MINOR
      out += line(fmt::format("GPU {}", i), fmt::format("{}, sm_{}{}", name, major, minor));
    }
    return out;
  }

private:
  template <class... Args> int call(const char *name, Args... args) const {
    void *symbol = library_.symbol(name);
    return symbol ? reinterpret_cast<int (*)(Args...)>(symbol)(args...) : -1;
  }
  const DynamicLibrary &library_;
};

} // namespace

Result<void> doctor() {
  std::string out = line("Kiln", KILN_VERSION, fmt::format("build {}: builds share no cache entry", build_digest()));
  out += line("LLVM", KILN_LLVM_VERSION, "linked in");
  std::string names;
  for (const Target *target : all_targets()) names += fmt::format("{}{}", names.empty() ? "" : ", ", target->name());
  out += line("targets", names);
  auto host = find_target(TargetKind::Native).check(TargetSpec());
  out += host.ok() ? line("CPU", host->cpu) : line("CPU", "unknown", host.error().diagnostics()[0].message);

  for (const ToolkitPart &part : describe_cuda_toolkit())
    out += part.found.path.empty() ? line(part.name, "not found", fmt::format("looked in {}", part.found.looked_in)) : line(part.name, part.found.path, fmt::format("found by {}", part.found.source));
  auto assembler = find_target(TargetKind::Ptx).make_assembler();
  out += assembler.ok() ? line("assembler", (*assembler)->identity(), (*assembler)->path()) : line("assembler", "none", assembler.error().diagnostics()[0].message);

  auto driver = DynamicLibrary::open({CudaDriver::library_name()});
  if (driver.ok()) {
    DriverQuery query(*driver);
    out += line("CUDA driver", query.version(), driver->path());
    out += query.gpus();
  } else {
    out += line("CUDA driver", "not found", fmt::format("looked for {} where the dynamic linker looks", CudaDriver::library_name()));
    out += line("GPUs", "none detected", "there is no CUDA driver");
  }
  SessionOptions limits;
  std::string trouble;
  if (auto folder = open_folder(limits, [&](const std::string &warning) { trouble = warning; }); !folder)
    out += line("cache", "in memory only", "KILN_CACHE_DIR is empty, or there is no home folder");
  else
    out += line("cache", folder->options().path, !trouble.empty() ? trouble : folder->is_usable() ? fmt::format("up to {} MiB", folder->options().budget >> 20) : "made when something is first kept");
  return write_result({}, out);
}

} // namespace kiln::tool
