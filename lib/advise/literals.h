// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numeric literals in the source, to find the one behind a constant of the IR.
#pragma once

#include <kiln/extension/language/source.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// A decimal literal in a line of text.
struct Literal {
  enum class Kind : uint8_t { Float64, Int64 };
  Kind kind = Kind::Float64;
  double value = 0;          ///< of either kind
  size_t begin = 0, end = 0; ///< bytes in the line
};

/// Decimal literals of type Float64 and Int64 in a line of Julia, in order. Ignores other types (2f0, 0x10,
/// 1i32), comments and strings.
std::vector<Literal> literals_of(std::string_view line);

/// Converts a Float64 literal to Float32: "2.0" -> "2f0", "1.5e-3" -> "1.5f-3".
std::string as_float32(std::string_view literal);

/// A literal and its place.
struct PlacedLiteral {
  std::string text;
  Location at;
};
/// Finds the literal behind a constant of the statement at `statement`; `is_wanted` accepts candidates.
/// Order: the first one after that place in its line; the nearest earlier line that assigns a literal to a
/// name, down to line `first`, the start of the function; a line of the file that starts with `const`.
std::optional<PlacedLiteral> find_literal(const Location &statement, uint32_t first,
                                          const std::function<bool(const Literal &)> &is_wanted);

} // namespace kiln
