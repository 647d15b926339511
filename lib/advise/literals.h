// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers as the user wrote them: which literal of the source is a constant of the IR?
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

/// The decimal literals of type Float64 and Int64 in a line of Julia, in their order. Literals of other types
/// (2f0, 0x10, 1i32) are none; what stands behind # or between quotes is not read.
std::vector<Literal> literals_of(std::string_view line);

/// A literal of type Float64 as one of Float32: "2.0" -> "2f0", "1.5e-3" -> "1.5f-3".
std::string as_float32(std::string_view literal);

/// A literal and its place.
struct PlacedLiteral {
  std::string text;
  Location at;
};
/// The literal that is a constant of the statement at `statement`, of which `is_wanted` says whether it can
/// be it: the first one behind that place in its line; else the nearest that a line before it sets a name to,
/// down to the line `first`, where its function begins; else that of a line of the file that begins with
/// `const`.
std::optional<PlacedLiteral> find_literal(const Location &statement, uint32_t first,
                                          const std::function<bool(const Literal &)> &is_wanted);

} // namespace kiln
