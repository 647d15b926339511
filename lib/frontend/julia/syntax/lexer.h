// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lexer. It produces one token at a time, so that the parser can read the text inside strings itself.
// White space and line ends are properties of the next token.
#pragma once

#include "operators.h"

namespace kiln::julia {

struct Token {
  Tok kind = Tok::EndOfFile;
  Prec prec = Prec::None;
  bool dotted = false;       ///< an operator with a dot before it: .+
  bool suffixed = false;     ///< an operator with a suffix: +₁
  bool space_before = false; ///< white space, a comment or a line end before it
  uint8_t newlines = 0;      ///< line ends before it, at most 2
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
  /// End offset of the name that starts at `offset`; `offset` itself: no name.
  uint32_t identifier_end(uint32_t offset) const;
  /// True for white space, a comment, a line end or the end of the text at `offset`.
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
