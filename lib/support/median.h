// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <vector>

namespace kiln {

/// Median of numbers; 0 without numbers.
template <class Number = double> double median_of(std::vector<Number> numbers) {
  if (numbers.empty()) return 0;
  const auto middle = numbers.begin() + numbers.size() / 2;
  std::ranges::nth_element(numbers, middle);
  const auto upper = double(*middle);
  if (numbers.size() % 2) return upper;
  return (double(*std::max_element(numbers.begin(), middle)) + upper) / 2;
}

} // namespace kiln
