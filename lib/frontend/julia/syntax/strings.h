// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of string and character literals: indentation of """ strings, escapes.
#pragma once

#include "operators.h"

#include <optional>
#include <vector>

namespace kiln::julia {

/// A stretch of a string literal as written, between interpolations. `offset`: where it starts in the file.
struct RawChunk {
  std::string text;
  uint32_t offset = 0;
  bool after_interpolation = false; ///< its first character does not begin a line
  bool before_interpolation = false;
};

/// CR LF and CR become LF.
void normalize_line_ends(std::string &text);

/// Takes the common indentation (and a first line end) off the chunks of a """ string.
void remove_indentation(std::vector<RawChunk> &chunks);

struct EscapeError {
  std::string message;
  size_t at = 0, length = 1; ///< in the text given
};

/// Replaces escapes: \n \t \\ \" \' \$ \` \a \b \e \f \r \v \0..\777 \x.. \u.... \U........ and \ before a
/// line end.
std::optional<EscapeError> unescape(std::string_view text, std::string &out);

/// In raw strings only a backslash run before `delimiter` (or the end) means something: 2n -> n, 2n+1 -> n
/// and it.
std::string unescape_raw(std::string_view text, char delimiter);

} // namespace kiln::julia
