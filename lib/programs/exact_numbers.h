// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Real numbers of all types in one form, so that keys of different types compare without rounding.
#pragma once

#include "library.h"

#include <cmath>

namespace kiln {

/// A real number: magnitude * 2^exponent. Equal numbers have equal members.
struct ExactNumber {
  enum class Kind : uint8_t { Finite, Infinite, NaN };
  Kind kind = Kind::Finite;
  bool is_negative = false; ///< also of -0.0; false for NaN
  std::string magnitude;    ///< bytes of an odd integer, the lowest first; empty for 0
  int64_t exponent = 0;     ///< 0 for 0

  /// `bytes`: of an integer, the lowest first.
  static ExactNumber finite(bool is_negative, std::string bytes, int64_t exponent);
  static ExactNumber of_float(double x);
  /// Consistent with the hashes of Float64 and of integers.
  uint64_t hash() const;
  static uint64_t hash_of_float(double x) {
    return std::isnan(x) ? 7 : std::hash<double>()(x); // all NaNs are one key
  }
  bool is(int number) const; ///< `number`: 0 or 1; false for -0.0
  bool operator==(const ExactNumber &) const = default;
};

/// Returns the value of an integer, a float, a BigInt or a BigFloat. Empty: another value.
std::optional<ExactNumber> exact_number(TypeContext &types, const Value &v);
/// Returns the value of a BigFloat. Empty: another value.
std::optional<ExactNumber> exact_big_float(const Value &v);

} // namespace kiln
