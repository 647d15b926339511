// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "edit_distance.h"

namespace kiln {

static char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

size_t edit_distance(std::string_view a, std::string_view b, size_t limit) {
  if (a == b) return 0;
  if ((a.size() > b.size() ? a.size() - b.size() : b.size() - a.size()) > limit) return limit + 1;
  if (a.size() == b.size() &&
      std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); }))
    return 1;
  const size_t width = b.size() + 1;
  std::vector<size_t> before(width), last(width), row(width);
  for (size_t j = 0; j < width; ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    size_t row_min = i;
    for (size_t j = 1; j < width; ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
      row_min = std::min(row_min, row[j]);
    }
    if (row_min > limit) return limit + 1;
    std::swap(before, last);
    std::swap(last, row);
  }
  return std::min(last[b.size()], limit + 1);
}

} // namespace kiln
