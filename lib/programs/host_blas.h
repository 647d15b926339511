// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiplies matrices on the CPU with OpenBLAS, or another library with the C interface of BLAS. The library
// is opened at run time, so that one binary also runs without it. Source: "Basic Linear Algebra Subprograms
// Technical Forum Standard", 2001, chapter B.2 (cblas_sgemm and its siblings, with 32-bit integers).
#pragma once

#include "matrix_product.h"

#include <support/support.h>

namespace kiln {

/// The functions of an opened library. Immutable and thread-safe, if the library is.
class HostBlas {
public:
  /// Opens the library in KILN_BLAS, or libopenblas.so.0. It stays loaded until the process ends. Errors:
  /// Machine (not found, KILN_BLAS=none, no functions of BLAS).
  static Result<HostBlas> open();
  /// True for numbers of which a library of BLAS has products: floats of 32 and 64 bits, real and complex.
  static bool has(MatrixProduct::Number number);
  /// Computes a product of numbers that has() knows, in the host's memory. Uses the library's own threads.
  void multiply(const MatrixProduct &product) const;

private:
  template <class Scale, class Number>
  using Gemm = void(int order, int form_a, int form_b, int m, int n, int k, Scale alpha, const Number *a,
                    int rows_a, const Number *b, int rows_b, Scale beta, Number *c, int rows_c);
  Gemm<float, float> *single_ = nullptr;
  Gemm<double, double> *double_ = nullptr;
  Gemm<const void *, void> *complex_single_ = nullptr, *complex_double_ = nullptr;
};

} // namespace kiln
