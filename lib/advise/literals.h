// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds numeric literals in source text. The rules use them to find the literal that caused a constant of the
// IR.
#pragma once

#include <kiln/extension/language/source.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// A decimal literal in a line of source text.
struct Literal {
  enum class Kind : uint8_t { Float64, Int64 };
  Kind kind = Kind::Float64;
  double value = 0;          ///< of either kind
  size_t begin = 0, end = 0; ///< bytes in the line
};

/// Returns the decimal literals of type Float64 or Int64 in a line of Julia, from left to right. Literals of
/// other types (2f0, 0x10, 1i32), comments and strings are ignored.
std::vector<Literal> literals_of(std::string_view line);

/// Returns the Float32 form of a Float64 literal: "2.0" becomes "2f0", and "1.5e-3" becomes "1.5f-3".
std::string as_float32(std::string_view literal);

/// A literal and its place.
struct PlacedLiteral {
  std::string text;
  Location at;
};
/// Finds the literal in the source that caused a constant in the IR of `statement`. `is_wanted` returns true
/// for a matching literal. `first` is the first line of the enclosing function. Searched in this order:
///
/// 1. the rest of the statement's line
/// 2. the function's earlier lines, nearest first, that assign a literal to a name
/// 3. lines of the file that start with `const`
std::optional<PlacedLiteral> find_literal(const Location &statement, uint32_t first,
                                          const std::function<bool(const Literal &)> &is_wanted);

} // namespace kiln
