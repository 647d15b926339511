// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contents of string and character literals: indentation of """ strings, escapes.
#pragma once

#include "operators.h"

#include <optional>
#include <vector>

namespace kiln::julia {

/// Source text of a string literal between interpolations. `offset`: start in the file.
struct RawChunk {
  std::string text;
  uint32_t offset = 0;
  bool after_interpolation = false; ///< does not start at the beginning of a line
  bool before_interpolation = false;
};

/// Replaces CR LF and CR by LF.
void normalize_line_ends(std::string &text);

/// Removes the common indentation, and a leading line end, from a """ string.
void remove_indentation(std::vector<RawChunk> &chunks);

struct EscapeError {
  std::string message;
  size_t at = 0, length = 1; ///< in the given text
};

/// Replaces escapes: \n \t \\ \" \' \$ \` \a \b \e \f \r \v \0..\777 \x.. \u.... \U........ and \ before a
/// line end.
std::optional<EscapeError> unescape(std::string_view text, std::string &out);

/// Raw strings: only backslashes before `delimiter` or the end are special: 2n become n, 2n+1 become n and
/// the delimiter.
std::string unescape_raw(std::string_view text, char delimiter);

} // namespace kiln::julia
