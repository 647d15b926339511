// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of matrices on a GPU by NVIDIA's library, where it is installed. It is opened at run time: the
// same binary runs where there is none. Source: cuBLAS Library User Guide 13.0, cublasGemmEx.
#pragma once

#include <support/support.h>

#include <complex>
#include <memory>

namespace kiln {

/// One of cuBLAS' handles, for one context. Used by one thread at a time.
class Cublas {
public:
  enum class Number { Float16, BFloat16, Float32, Float64, ComplexF32, ComplexF64 };
  enum class Form { AsItIs, Transposed, Adjoint };
  /// Of a matrix in device memory, the elements of a column one after another, and nothing between columns.
  struct Factor {
    uint64_t address = 0;
    Form form = Form::AsItIs;
  };
  /// C = alpha * A * B + beta * C, of m x n elements and sums of k; what A and B are is behind their forms.
  struct Product {
    Number number = Number::Float32;
    int m = 0, n = 0, k = 0;
    Factor a, b;
    uint64_t c = 0;
    std::complex<double> alpha = 1, beta = 0; ///< beta 0: C is written only
  };

  /// A handle on the calling thread's context. The library is the one that KILN_CUBLAS names, of a CUDA
  /// toolkit, or of the system. Errors: Machine (none is there, KILN_CUBLAS=none, it cannot start).
  static Result<std::unique_ptr<Cublas>> open();
  ~Cublas();
  Cublas(const Cublas &) = delete;
  Cublas &operator=(const Cublas &) = delete;

  /// Puts a product into a stream (CUstream) of the calling thread's context. Sums of 16-bit numbers are of
  /// Float32, and Float32's own are never of TF32. Error: Machine.
  Result<void> multiply(void *stream, const Product &product) const;

private:
  struct Library;
  explicit Cublas(std::shared_ptr<const Library> library) : library_(std::move(library)) {}
  std::shared_ptr<const Library> library_;
  void *handle_ = nullptr;
};

} // namespace kiln
