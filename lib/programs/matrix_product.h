// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of matrices, as libraries with the interface of BLAS compute it.
#pragma once

#include <complex>
#include <cstdint>

namespace kiln {

/// C = alpha * A * B + beta * C with m x n results, each a sum of k terms. A and B are first transposed or
/// conjugated as their `form` says.
struct MatrixProduct {
  enum class Number { Float16, BFloat16, Float32, Float64, ComplexF32, ComplexF64 };
  enum class Form { AsItIs, Transposed, Adjoint };
  /// A factor: a matrix in the device's memory, column-major, without gaps between columns.
  struct Factor {
    uint64_t address = 0;
    Form form = Form::AsItIs;
    /// Rows in memory, at least 1. `across`: rows after the transposition; `along`: columns.
    int rows(int across, int along) const {
      const int count = form == Form::AsItIs ? across : along;
      return count > 1 ? count : 1;
    }
  };
  Number number = Number::Float32;
  int m = 0, n = 0, k = 0;
  Factor a, b;
  uint64_t c = 0;
  std::complex<double> alpha = 1, beta = 0; ///< beta 0: the old C is not read
};

} // namespace kiln
