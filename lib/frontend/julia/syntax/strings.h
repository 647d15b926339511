// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the contents of string and character literals: the indentation of """ strings, and escapes.
#pragma once

#include "operators.h"

#include <optional>
#include <vector>

namespace kiln::julia {

/// Part of a string literal between two interpolations, as written. `offset`: its position in the file.
struct RawChunk {
  std::string text;
  uint32_t offset = 0;
  bool after_interpolation = false; ///< true if it follows an interpolation, so that it does not begin a line
  bool before_interpolation = false;
};

/// Replaces the line ends CR LF and CR by LF.
void normalize_line_ends(std::string &text);

/// Removes the common indentation of the lines of a """ string, and a line end at its start.
void remove_indentation(std::vector<RawChunk> &chunks);

struct EscapeError {
  std::string message;
  size_t at = 0, length = 1; ///< in the given text
};

/// Replaces escapes by their characters: \n \t \\ \" \' \$ \` \a \b \e \f \r \v \0..\777 \x.. \u....
/// \U........, and \ before a line end. Returns the first invalid escape.
std::optional<EscapeError> unescape(std::string_view text, std::string &out);

/// Returns the contents of a raw string. Backslashes are special only before `delimiter` or the end: 2n of
/// them become n, and 2n+1 become n and the delimiter.
std::string unescape_raw(std::string_view text, char delimiter);

} // namespace kiln::julia
