// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Function names from entry symbols.
#pragma once

#include <string>
#include <string_view>

namespace kiln {

/// Extracts the function name from a mangled entry symbol: "saxpy" from "_Z5saxpy...". Other symbols are
/// returned unchanged.
inline std::string function_of_entry(std::string_view entry) {
  std::string_view rest = entry;
  if (!rest.starts_with("_Z")) return std::string(entry);
  rest.remove_prefix(2);
  size_t length = 0;
  while (!rest.empty() && rest[0] >= '0' && rest[0] <= '9' && length < entry.size()) {
    length = 10 * length + size_t(rest[0] - '0');
    rest.remove_prefix(1);
  }
  return std::string(length && length <= rest.size() ? rest.substr(0, length) : entry);
}

} // namespace kiln
