// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver, opened at run time: the same binary runs where there is none.
#pragma once

#include <kiln/result.h>
#include <support/support.h>

#include <memory>

namespace kiln {

/// Of CUresult (cuda.h): those that Kiln tells apart.
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

/// Of cuda.h: flags of cuMemHostAlloc, and of CUjit_option those that say where a log goes.
namespace cuda_flags {
enum : int { HostPortable = 1, HostMapped = 2, ErrorLog = 5, ErrorLogBytes = 6 };
} // namespace cuda_flags

/// Thread-safe.
class CudaDriver {
public:
  /// Opens the driver and initialises it: the library that KILN_CUDA_DRIVER names, else libcuda.so.1. It
  /// stays in the process. Errors: Machine (no driver, one before CUDA 12.0, no device).
  KILN_PROGRAMS_API static Result<std::shared_ptr<CudaDriver>> open();
  static std::string library_name(); ///< that open() looks for

  int version() const { return version_; } ///< 13000 is CUDA 13.0
  std::string version_text() const;
  /// "driver 580.65.06, CUDA 13.0"; without the release where the system does not tell it.
  const std::string &identity() const { return identity_; }
  int device_count() const { return devices_; }

#define KILN_CUDA_FUNCTION(name, symbol, ...) int (*name)(__VA_ARGS__) = nullptr;
#include "cuda_functions.def"
#undef KILN_CUDA_FUNCTION

  /// What a function's status means, with `what` was tried, and what to do about it.
  KILN_PROGRAMS_API Error error(int status, const std::string &what) const;
  Result<void> check(int status, const char *what) const {
    if (status == 0) [[likely]]
      return {};
    return error(status, what);
  }
  /// Whether the context is lost with it: every later call of the process fails the same way.
  static bool is_sticky(int status);

private:
  explicit CudaDriver(DynamicLibrary library) : library_(std::move(library)) {}
  DynamicLibrary library_;
  int version_ = 0, devices_ = 0;
  std::string identity_;
};

} // namespace kiln
