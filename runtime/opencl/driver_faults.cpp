// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver_faults.h"

#include <fmt/format.h>
#include <support/support.h>

#include <cstdlib>
#include <string_view>

namespace kiln {

namespace {

/// Platform name of Intel's runtime for CPUs. That for GPUs has another one.
constexpr std::string_view intel_cpu_platform = "Intel(R) OpenCL, ";

/// Setting of the environment that avoids a fault of that runtime.
struct Setting {
  const char *variable;
  std::string_view value;
  std::string_view part; ///< of `value`, which other right values have too
  std::string_view fault;
};
constexpr Setting settings[] = {
    {"CL_CONFIG_LLVM_OPTIONS", "-disable-auto-vec-dir-insert", "-disable-auto-vec-dir-insert",
     "vectorises loops so that sums are wrong"},
    {"CL_CONFIG_CPU_TARGET_ARCH", "core-avx2", "core", "makes wrong code for AVX-512"},
};

} // namespace

void KILN_API_VERSION::avoid_opencl_driver_faults() {
  for (const Setting &each : settings) ::setenv(each.variable, each.value.data(), /*overwrite=*/0);
}

Result<void> check_driver_faults(const GpuInfo &device) {
  if (!device.driver.starts_with(intel_cpu_platform)) return {};
  for (const Setting &each : settings)
    if (environment_text(each.variable).find(each.part) == std::string::npos)
      return machine_error(
          fmt::format("{}: Intel's OpenCL runtime for CPUs {} (seen with 2026.22)", device.name, each.fault),
          fmt::format(
              "set {}={} before the process starts, or call avoid_opencl_driver_faults() at its start",
              each.variable, each.value));
  return {};
}

} // namespace kiln
