// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts UTF-8 text to a number of columns, between characters. A character counts as one column.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace kiln {

/// Returns true for a byte that starts a character of UTF-8.
constexpr bool is_character_start(char byte) { return (uint8_t(byte) & 0xc0) != 0x80; }

/// Number of bytes of the first `count` characters; all bytes, if there are fewer characters.
inline size_t bytes_of_characters(std::string_view text, size_t count) {
  size_t bytes = 0;
  for (; bytes < text.size(); bytes++)
    if (is_character_start(text[bytes]) && count-- == 0) break;
  return bytes;
}

/// Shortens text to `width` >= 1 columns: replaces the end of a longer text by "…".
inline std::string shorten_end(std::string_view text, size_t width) {
  if (bytes_of_characters(text, width) == text.size()) return std::string(text);
  return std::string(text.substr(0, bytes_of_characters(text, width - 1))) + "…";
}

/// Shortens text to `width` >= 1 columns: replaces the start of a longer text by "…".
inline std::string shorten_start(std::string_view text, size_t width) {
  const auto length = size_t(std::ranges::count_if(text, is_character_start));
  if (length <= width) return std::string(text);
  return "…" + std::string(text.substr(bytes_of_characters(text, length - width + 1)));
}

} // namespace kiln
