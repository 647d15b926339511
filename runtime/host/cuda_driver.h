// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens the CUDA driver at run time, so that one binary also runs on machines without the driver.
#pragma once

#include <kiln/result.h>
#include <support/support.h>

#include <memory>

namespace kiln {

/// CUresult values (cuda.h) that Kiln distinguishes.
namespace cuda_status {
enum : int {
  InvalidValue = 1,
  OutOfMemory = 2,
  InvalidImage = 200,
  NoBinaryForGpu = 209,
  InvalidPtx = 218,
  NoJitCompiler = 221,
  UnsupportedPtxVersion = 222,
  NotFound = 500,
  NotReady = 600,
  LaunchOutOfResources = 701,
  CooperativeTooLarge = 720,
  CaptureUnsupported = 900,
  CaptureInvalidated = 901,
  CaptureUnjoined = 904,
  CaptureWrongThread = 908,
  InvalidClusterSize = 912
};
} // namespace cuda_status

/// Constants of cuda.h: flags of cuMemHostAlloc, and the log options of CUjit_option.
namespace cuda_flags {
enum : int { HostPortable = 1, HostMapped = 2, ErrorLog = 5, ErrorLogBytes = 6 };
} // namespace cuda_flags

/// The loaded driver library. Thread-safe.
class CudaDriver {
public:
  /// Opens and initialises the driver: the library named by KILN_CUDA_DRIVER, else libcuda.so.1. The library
  /// stays loaded until the process ends. Errors: Machine (no driver, a driver older than CUDA 12.0, no
  /// device).
  KILN_PROGRAMS_API static Result<std::shared_ptr<CudaDriver>> open();
  static std::string library_name(); ///< file that open() loads

  int version() const { return version_; } ///< 13000 is CUDA 13.0
  std::string version_text() const;
  /// Text such as "driver 580.65.06, CUDA 13.0"; without the release number where the system does not report
  /// it.
  const std::string &identity() const { return identity_; }
  int device_count() const { return devices_; }

#define KILN_CUDA_FUNCTION(name, symbol, ...) int (*name)(__VA_ARGS__) = nullptr;
#include "cuda_functions.def"
#undef KILN_CUDA_FUNCTION

  /// Makes the error for a CUresult: its meaning, the failed action `what`, and the remedy.
  KILN_PROGRAMS_API Error error(int status, const std::string &what) const;
  Result<void> check(int status, const char *what) const {
    if (status == 0) [[likely]]
      return {};
    return error(status, what);
  }
  /// True if the error destroys the context: every later call of the process then fails with this error.
  static bool is_sticky(int status);

private:
  explicit CudaDriver(DynamicLibrary library) : library_(std::move(library)) {}
  DynamicLibrary library_;
  int version_ = 0, devices_ = 0;
  std::string identity_;
};

} // namespace kiln
