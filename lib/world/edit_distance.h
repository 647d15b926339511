// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace kiln {

/// Number of insertions, deletions, replacements and swaps of neighbouring bytes that turn `a` into `b`.
/// Texts that differ only in letter case have distance 1. If the distance exceeds `limit`, returns limit + 1.
size_t edit_distance(std::string_view a, std::string_view b, size_t limit);

} // namespace kiln
