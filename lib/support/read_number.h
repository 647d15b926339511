// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsers of texts that are exactly one number.
#pragma once

#include <kiln/extension/language/fingerprint.h>

#include <charconv>
#include <optional>
#include <string_view>

namespace kiln {

/// Parses a text that is exactly one number. No value for other texts and for numbers outside the range of T.
template <class T> std::optional<T> read_number(std::string_view text, int base = 10) {
  T value{};
  const char *const end = text.data() + text.size();
  std::from_chars_result read{};
  if constexpr (std::is_integral_v<T>)
    read = std::from_chars(text.data(), end, value, base);
  else
    read = std::from_chars(text.data(), end, value);
  return read.ec == std::errc() && read.ptr == end ? std::optional(value) : std::nullopt;
}

/// Parses the text of Fingerprint::hex().
inline std::optional<Fingerprint> read_fingerprint(std::string_view hex) {
  if (hex.size() != 32) return std::nullopt;
  const auto high = read_number<uint64_t>(hex.substr(0, 16), 16),
             low = read_number<uint64_t>(hex.substr(16), 16);
  if (!high || !low) return std::nullopt;
  const Fingerprint key{*high, *low};
  return key.hex() == hex ? std::optional(key) : std::nullopt;
}

} // namespace kiln
