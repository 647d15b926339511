// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The literals of Python that a .npy header is made of: a dict of strings, booleans, tuples and lists.
#pragma once

#include <kiln/result.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

struct PythonLiteral {
  enum class Kind : uint8_t { None, Boolean, Integer, String, List, Tuple, Dict };
  Kind kind = Kind::None;
  bool boolean = false;
  uint64_t integer = 0;
  std::string text;                 ///< of a string, UTF-8
  std::vector<PythonLiteral> items; ///< of a dict: key, value, key, value ...

  /// The value under a key of a dict; null if it is not there.
  const PythonLiteral *find(std::string_view key) const;
};

/// Parses `text` whole. `latin1`: bytes above 0x7f are characters of Latin-1 (version 1 and 2 of the format),
/// else of UTF-8. Error: Input, starting with `name`.
Result<PythonLiteral> parse_python_literal(std::string_view text, bool latin1, const std::string &name);

/// `text` as a Python string literal in single quotes.
std::string python_string(std::string_view text);

} // namespace kiln
