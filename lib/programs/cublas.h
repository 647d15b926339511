// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiplies matrices on GPUs with NVIDIA's cuBLAS. The library is opened at run time, so that one binary
// also runs without it. Source: cuBLAS Library User Guide 13.0, cublasGemmEx.
#pragma once

#include <support/support.h>

#include <complex>
#include <memory>

namespace kiln {

/// A cuBLAS handle for one CUDA context. Not thread-safe.
class Cublas {
public:
  enum class Number { Float16, BFloat16, Float32, Float64, ComplexF32, ComplexF64 };
  enum class Form { AsItIs, Transposed, Adjoint };
  /// A factor of a product: a matrix in device memory, column-major, without gaps between columns.
  struct Factor {
    uint64_t address = 0;
    Form form = Form::AsItIs;
  };
  /// A product C = alpha * A * B + beta * C with m x n results, each a sum of k terms. A and B are first
  /// transposed or conjugated as their `form` says.
  struct Product {
    Number number = Number::Float32;
    int m = 0, n = 0, k = 0;
    Factor a, b;
    uint64_t c = 0;
    std::complex<double> alpha = 1, beta = 0; ///< beta 0: the old C is not read
  };

  /// Opens a handle for the calling thread's CUDA context. The library is the file in KILN_CUBLAS, or that of
  /// a CUDA toolkit or the system. Errors: Machine (not found, KILN_CUBLAS=none, failed to start).
  static Result<std::unique_ptr<Cublas>> open();
  ~Cublas();
  Cublas(const Cublas &) = delete;
  Cublas &operator=(const Cublas &) = delete;

  /// Enqueues a product in a stream (CUstream) of the calling thread's CUDA context. 16-bit numbers are
  /// summed in Float32; Float32 never uses TF32. Error: Machine.
  Result<void> multiply(void *stream, const Product &product) const;

private:
  struct Library;
  explicit Cublas(std::shared_ptr<const Library> library) : library_(std::move(library)) {}
  std::shared_ptr<const Library> library_;
  void *handle_ = nullptr;
};

} // namespace kiln
