// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver, opened at run time: the same binary runs where there is none.
#pragma once

#include <kiln/result.h>
#include <support/support.h>

#include <memory>

namespace kiln {

/// Thread-safe.
class CudaDriver {
public:
  /// Opens libcuda.so.1 and initialises it. Errors: Machine (no driver, one before CUDA 12.0, no device).
  static Result<std::shared_ptr<CudaDriver>> open();

  int version() const { return version_; } ///< 13000 is CUDA 13.0
  int device_count() const { return devices_; }

#define KILN_CUDA_FUNCTION(name, symbol, ...) int (*name)(__VA_ARGS__) = nullptr;
#include "cuda_functions.def"
#undef KILN_CUDA_FUNCTION

  /// What a function's status means, with `what` was tried.
  Error error(int status, const std::string &what) const;
  Result<void> check(int status, const char *what) const {
    if (status == 0) return {};
    return error(status, what);
  }

private:
  explicit CudaDriver(DynamicLibrary library) : library_(std::move(library)) {}
  DynamicLibrary library_;
  int version_ = 0, devices_ = 0;
};

} // namespace kiln
