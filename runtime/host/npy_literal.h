// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses the Python literals in .npy headers: dicts of strings, booleans, tuples and lists.
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
  std::string text;                 ///< string contents in UTF-8
  std::vector<PythonLiteral> items; ///< items of a tuple, list or dict; a dict has key, value, key, value ...

  /// Finds the value of a key in a dict. Null: the key is missing.
  const PythonLiteral *find(std::string_view key) const;
};

/// Parses all of `text`. `latin1`: bytes above 0x7f are Latin-1 characters (format versions 1 and 2);
/// otherwise the text is UTF-8. Error: Input, with a text that starts with `name`.
Result<PythonLiteral> parse_python_literal(std::string_view text, bool latin1, const std::string &name);

/// Formats `text` as a Python string literal in single quotes.
std::string python_string(std::string_view text);

} // namespace kiln
