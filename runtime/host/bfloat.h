// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounding to BFloat16. On processors without a rounding instruction, LLVM calls these functions by their
// compiler-rt names. Each returns the BFloat16 in the low half of a float register.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace kiln {

inline uint16_t bfloat_bits(float x) {
  auto bits = std::bit_cast<uint32_t>(x);
  if (std::isnan(x)) return uint16_t(bits >> 16 | 0x40);
  return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16); // to nearest, ties to even
}

inline float native_truncsfbf2(float x) { return std::bit_cast<float>(uint32_t(bfloat_bits(x))); }

inline float native_truncdfbf2(double x) {
  // Round to odd first: the second rounding then takes the bits dropped here into account.
  auto narrow = float(x);
  auto bits = std::bit_cast<uint32_t>(narrow);
  if (double(narrow) != x && !std::isnan(x) && !(bits & 1))
    bits = std::abs(double(narrow)) > std::abs(x) ? bits - 1 : bits | 1;
  return native_truncsfbf2(std::bit_cast<float>(bits));
}

} // namespace kiln
