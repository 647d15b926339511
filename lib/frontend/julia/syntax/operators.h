// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens, operators and their precedences.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kiln::julia {

/// Precedences of infix operators, from the one that binds loosest.
enum class Prec : uint8_t {
  None,
  Assignment,
  Pair,
  Conditional,
  Arrow,
  Or,
  And,
  Comparison,
  PipeLeft,
  PipeRight,
  Colon,
  Plus,
  Times,
  Rational,
  Shift,
  Power,
  Decl,
};

enum class Tok : uint8_t {
  EndOfFile,
  Invalid,
  Identifier,
  Number,
  LParen,
  RParen,
  LBracket,
  RBracket,
  LBrace,
  RBrace,
  Comma,
  Semicolon,
  At,
  DoubleQuote,
  Backtick,
  Prime,
  Dot,
  // Operators. Those that the parser treats in a special way have kinds of their own.
  Operator,
  UnaryOperator,
  Plus,
  Minus,
  PlusPlus,
  Star,
  Ampersand,
  Tilde,
  Not,
  Assign,
  OpAssign,
  Pair,
  Question,
  Arrow,
  OrOr,
  AndAnd,
  Subtype,
  Supertype,
  Colon,
  DoubleColon,
  Dollar,
  Ellipsis,
  In,
  Isa,
  Where,
  // Keywords.
  KwBareModule,
  KwBegin,
  KwBreak,
  KwCatch,
  KwConst,
  KwContinue,
  KwDo,
  KwElse,
  KwElseIf,
  KwEnd,
  KwExport,
  KwFalse,
  KwFinally,
  KwFor,
  KwFunction,
  KwGlobal,
  KwIf,
  KwImport,
  KwLet,
  KwLocal,
  KwMacro,
  KwModule,
  KwQuote,
  KwReturn,
  KwStruct,
  KwTrue,
  KwTry,
  KwUsing,
  KwWhile,
};

inline bool is_keyword(Tok t) { return t >= Tok::KwBareModule; }
inline bool is_operator(Tok t) { return t >= Tok::Operator && t <= Tok::Where; }

struct OperatorMatch {
  Tok kind = Tok::Invalid;
  Prec prec = Prec::None;
  uint32_t length = 0; ///< in bytes; 0: the text does not start with an operator
};

/// Finds the longest operator at the start of `text`. A dot before it must be removed.
OperatorMatch match_operator(std::string_view text);

/// Role of a non-ASCII character.
enum class CharClass : uint8_t { Identifier, Operator, Space, Invalid };
CharClass classify(char32_t c);
bool is_operator_suffix(char32_t c); ///< primes, sub- and superscripts: +₁

/// A character of a UTF-8 text, and its length in bytes. Length 0: the text is invalid there.
struct Decoded {
  char32_t c = 0;
  uint32_t length = 0;
};
Decoded decode_utf8(std::string_view text, size_t offset);
void append_utf8(std::string &out, char32_t c);

} // namespace kiln::julia
