// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_driver.h"

#include <fmt/format.h>

namespace kiln {

namespace {

constexpr const char *cpu_hint = "--device cpu runs the same kernel on the CPU";

} // namespace

Result<std::shared_ptr<CudaDriver>> CudaDriver::open() {
  auto library = DynamicLibrary::open({"libcuda.so.1"});
  if (!library.ok()) return machine_error("there is no CUDA driver: libcuda.so.1 is not where the dynamic linker looks", cpu_hint);
  std::shared_ptr<CudaDriver> driver(new CudaDriver(std::move(*library)));
  const char *missing = nullptr;
#define KILN_CUDA_FUNCTION(name, exported, ...)                                                                                                                \
  driver->name = reinterpret_cast<int (*)(__VA_ARGS__)>(driver->library_.symbol(exported));                                                                  \
  if (!driver->name && !missing) missing = exported;
#include "cuda_functions.def"
#undef KILN_CUDA_FUNCTION
  if (driver->DriverGetVersion) driver->DriverGetVersion(&driver->version_);
  if (missing)
    return machine_error(fmt::format("the CUDA driver ({}, for CUDA {}.{}) has no {}: Kiln needs one for CUDA 12.0 or newer", driver->library_.path(), driver->version_ / 1000, driver->version_ % 1000 / 10, missing),
                         "update the driver, or use --device cpu");
  if (int status = driver->Init(0)) return driver->error(status, "starting the CUDA driver");
  driver->DeviceGetCount(&driver->devices_);
  if (driver->devices_ == 0) return machine_error("the CUDA driver sees no GPU", "CUDA_VISIBLE_DEVICES may hide them");
  return driver;
}

Error CudaDriver::error(int status, const std::string &what) const {
  const char *name = nullptr, *text = nullptr;
  GetErrorName(status, &name);
  GetErrorString(status, &text);
  std::string message = fmt::format("{}: {} ({}, {})", what, text ? text : "an unknown error", name ? name : "no name", status);
  switch (status) {
  case 2: return machine_error(message, "free device memory, or use smaller arrays");                           // OUT_OF_MEMORY
  case 100: case 999: return machine_error(message, cpu_hint);                                                  // NO_DEVICE, UNKNOWN
  case 209: return machine_error(message, "the cubin is for another architecture than this GPU: --arch names it"); // NO_BINARY_FOR_GPU
  case 222: return machine_error(message, "the driver is older than this PTX version: --ptx-isa lowers it");     // UNSUPPORTED_PTX_VERSION
  case 700: case 716: case 717: case 718: case 719:                                                             // illegal address, misaligned, ..., LAUNCH_FAILED
    return input_error("DeviceError", message, {}, "the CUDA context is lost with it; kiln run --device cpu --check finds the access");
  default: return machine_error(message);
  }
}

} // namespace kiln
