// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver_faults.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

namespace kiln {

namespace {

/// Platform name of Intel's runtime for CPUs. That for GPUs has another one.
constexpr std::string_view intel_cpu_platform = "Intel(R) OpenCL, ";

bool has_option(std::string_view text) { return text.find("-disable-auto-vec-dir-insert") != text.npos; }
bool is_without_avx512(std::string_view text) {
  return text == "core-avx2" || text == "corei7-avx" || text == "corei7";
}
bool on_every_cpu() { return true; }
bool on_avx512() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f");
#else
  return false;
#endif
}

/// Setting of the environment that avoids a fault of that runtime.
struct Setting {
  const char *variable, *value;
  bool (*avoids)(std::string_view text); ///< whether the variable's text avoids the fault
  bool (*applies)();                     ///< whether this processor has the fault
  const char *fault;
};
constexpr Setting settings[] = {
    {"CL_CONFIG_LLVM_OPTIONS", "-disable-auto-vec-dir-insert", has_option, on_every_cpu,
     "vectorises loops so that sums are wrong"},
    {"CL_CONFIG_CPU_TARGET_ARCH", "core-avx2", is_without_avx512, on_avx512, "makes wrong code for AVX-512"},
};

/// The first setting that the process lacked when it loaded the driver; null: none. The driver reads them
/// once.
const Setting *missing_setting() {
  static const Setting *const missing = []() -> const Setting * {
    for (const Setting &each : settings) {
      const char *text = std::getenv(each.variable); // as the driver reads it, whatever the session may read
      if (each.applies() && !each.avoids(text ? text : "")) return &each;
    }
    return nullptr;
  }();
  return missing;
}

} // namespace

void KILN_API_VERSION::avoid_opencl_driver_faults() {
  for (const Setting &each : settings)
    if (each.applies()) ::setenv(each.variable, each.value, /*overwrite=*/0);
}

void note_driver_settings() { (void)missing_setting(); }

Result<void> check_driver_faults(const GpuInfo &device) {
  const Setting *const missing = missing_setting();
  if (!missing || !device.driver.starts_with(intel_cpu_platform)) return {};
  return machine_error(
      fmt::format("{}: Intel's OpenCL runtime for CPUs {} (seen with 2026.22)", device.name, missing->fault),
      fmt::format("start the process with {}={}, or call avoid_opencl_driver_faults() before it opens an "
                  "OpenCL device",
                  missing->variable, missing->value));
}

} // namespace kiln
