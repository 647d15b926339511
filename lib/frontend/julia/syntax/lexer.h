// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lexer. It reads one token at a time, so that the parser can read the text inside of strings itself.
// White space and line ends become properties of the token that follows.
#pragma once

#include "operators.h"

namespace kiln::julia {

struct Token {
  Tok kind = Tok::EndOfFile;
  Prec prec = Prec::None;
  bool dotted = false;       ///< true for an operator after a dot, such as .+
  bool suffixed = false;     ///< true for an operator with a suffix, such as +₁
  bool space_before = false; ///< true after white space, a comment or a line end
  uint8_t newlines = 0;      ///< number of line ends before the token, at most 2
  uint32_t begin = 0, end = 0;
  const char *message = nullptr; ///< reason, for Invalid
};

class Lexer {
public:
  explicit Lexer(std::string_view text) : text_(text) {}
  Token next();
  void seek(uint32_t offset) { at_ = offset; }
  std::string_view text() const { return text_; }
  char peek(size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
  /// Offset of the end of the name that starts at `offset`. Returns `offset` itself if no name starts there.
  uint32_t identifier_end(uint32_t offset) const;
  /// True if white space, a comment, a line end or the end of the text is at `offset`.
  bool is_space_at(uint32_t offset) const;

private:
  void skip_space(Token &token);
  void number(Token &token);
  void dot(Token &token);
  bool dotted_operator(Token &token, uint32_t offset);
  std::string_view text_;
  uint32_t at_ = 0;
};

} // namespace kiln::julia
