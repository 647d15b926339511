// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lexer: one token at a time, so that the parser can take over inside strings, where the text is not
// tokens. White space and line ends are facts about the token that follows them.
#pragma once

#include "operators.h"

namespace kiln::julia {

struct Token {
  Tok kind = Tok::EndOfFile;
  Prec prec = Prec::None;
  bool dotted = false;       ///< an operator with a dot before it: .+
  bool suffixed = false;     ///< an operator with a suffix: +₁
  bool space_before = false; ///< white space, a comment or a line end
  uint8_t newlines = 0;      ///< line ends before it, up to 2
  uint32_t begin = 0, end = 0;
  const char *message = nullptr; ///< Invalid: why
};

class Lexer {
public:
  explicit Lexer(std::string_view text) : text_(text) {}
  Token next();
  void seek(uint32_t offset) { at_ = offset; }
  std::string_view text() const { return text_; }
  char peek(size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
  /// The end of the name that starts at `offset`; `offset` itself if none does.
  uint32_t identifier_end(uint32_t offset) const;
  /// Whether white space, a comment, a line end or the end of the text is at `offset`.
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
