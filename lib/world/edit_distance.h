// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace kiln {

/// Insertions, deletions, replacements and swaps of neighbours (bytes) that turn a into b; upper and lower
/// case of a letter differ by 1 only if all else is the same. Anything past `limit` is limit + 1.
size_t edit_distance(std::string_view a, std::string_view b, size_t limit);

} // namespace kiln
