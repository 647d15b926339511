// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts of things in messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kiln {

/// Formats a number with its noun: "1 job", "0 jobs", "2 entries". `many` is an irregular plural; empty:
/// `one` with an s.
inline std::string counted(uint64_t n, std::string_view one, std::string_view many = {}) {
  std::string text = std::to_string(n) + ' ';
  if (n == 1) return text += one;
  return many.empty() ? (text += one) += 's' : text += many;
}

} // namespace kiln
