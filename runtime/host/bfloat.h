// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Roundings to BFloat16, which LLVM calls by their names in compiler-rt where the processor has none. A
// BFloat16 comes back where a float does, in its low half.
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
  // Rounded to odd on the way, so that the second rounding sees what the first one lost.
  auto narrow = float(x);
  auto bits = std::bit_cast<uint32_t>(narrow);
  if (double(narrow) != x && !std::isnan(x) && !(bits & 1))
    bits = std::abs(double(narrow)) > std::abs(x) ? bits - 1 : bits | 1;
  return native_truncsfbf2(std::bit_cast<float>(bits));
}

} // namespace kiln
