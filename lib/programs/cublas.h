// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiplies matrices on GPUs with NVIDIA's cuBLAS. The library is opened at run time, so that one binary
// also runs without it. Source: cuBLAS Library User Guide 13.0, cublasGemmEx.
#pragma once

#include "matrix_product.h"

#include <support/support.h>

#include <memory>

namespace kiln {

/// A cuBLAS handle for one CUDA context. Not thread-safe.
class Cublas {
public:
  /// Opens a handle for the calling thread's CUDA context. The library is the file in KILN_CUBLAS, or that of
  /// a CUDA toolkit or the system. Errors: Machine (not found, KILN_CUBLAS=none, failed to start).
  static Result<std::unique_ptr<Cublas>> open();
  ~Cublas();
  Cublas(const Cublas &) = delete;
  Cublas &operator=(const Cublas &) = delete;

  /// Enqueues a product in a stream (CUstream) of the calling thread's CUDA context. 16-bit numbers are
  /// summed in Float32; Float32 never uses TF32. Error: Machine.
  Result<void> multiply(void *stream, const MatrixProduct &product) const;

private:
  struct Library;
  explicit Cublas(std::shared_ptr<const Library> library) : library_(std::move(library)) {}
  std::shared_ptr<const Library> library_;
  void *handle_ = nullptr;
};

} // namespace kiln
