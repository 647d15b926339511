// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver_faults.h"

#include <fmt/format.h>
#include <support/support.h>

#include <string_view>

namespace kiln {

namespace {

/// Platform name of Intel's runtime for CPUs. That for GPUs has another one.
constexpr std::string_view intel_cpu_platform = "Intel(R) OpenCL, ";
constexpr std::string_view without_inner_vectors = "-disable-auto-vec-dir-insert";

} // namespace

Result<void> check_driver_faults(const GpuInfo &device) {
  if (!device.driver.starts_with(intel_cpu_platform)) return {};
  if (environment_text("CL_CONFIG_LLVM_OPTIONS").find(without_inner_vectors) != std::string::npos ||
      environment_text("CL_CONFIG_CPU_VECTORIZER_MODE") == "1")
    return {};
  return machine_error(
      fmt::format("{}: Intel's OpenCL runtime for CPUs vectorises loops so that sums are wrong (seen with "
                  "2026.22)",
                  device.name),
      fmt::format("set CL_CONFIG_LLVM_OPTIONS={} before the process starts", without_inner_vectors));
}

} // namespace kiln
