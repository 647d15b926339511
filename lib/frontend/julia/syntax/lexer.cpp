// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lexer.h"

#include <array>

namespace kiln::julia {

namespace {

enum : uint8_t { Start = 1, Continue = 2, Digit = 4, HexDigit = 8, Space = 16 };

constexpr std::array<uint8_t, 256> make_classes() {
  std::array<uint8_t, 256> t{};
  for (int c = 0; c < 128; ++c) {
    bool lower = c >= 'a' && c <= 'z', upper = c >= 'A' && c <= 'Z', digit = c >= '0' && c <= '9';
    if (lower || upper || c == '_') t[c] |= Start | Continue;
    if (digit) t[c] |= Continue | Digit | HexDigit;
    if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) t[c] |= HexDigit;
    if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f') t[c] |= Space;
  }
  return t;
}
constexpr auto classes = make_classes();
bool is(char c, uint8_t mask) { return classes[uint8_t(c)] & mask; }

struct Word {
  std::string_view text;
  Tok kind;
};
constexpr Word words[] = {
    {"baremodule", Tok::KwBareModule},
    {"begin", Tok::KwBegin},
    {"break", Tok::KwBreak},
    {"catch", Tok::KwCatch},
    {"const", Tok::KwConst},
    {"continue", Tok::KwContinue},
    {"do", Tok::KwDo},
    {"else", Tok::KwElse},
    {"elseif", Tok::KwElseIf},
    {"end", Tok::KwEnd},
    {"export", Tok::KwExport},
    {"false", Tok::KwFalse},
    {"finally", Tok::KwFinally},
    {"for", Tok::KwFor},
    {"function", Tok::KwFunction},
    {"global", Tok::KwGlobal},
    {"if", Tok::KwIf},
    {"import", Tok::KwImport},
    {"in", Tok::In},
    {"isa", Tok::Isa},
    {"let", Tok::KwLet},
    {"local", Tok::KwLocal},
    {"macro", Tok::KwMacro},
    {"module", Tok::KwModule},
    {"quote", Tok::KwQuote},
    {"return", Tok::KwReturn},
    {"struct", Tok::KwStruct},
    {"true", Tok::KwTrue},
    {"try", Tok::KwTry},
    {"using", Tok::KwUsing},
    {"where", Tok::Where},
    {"while", Tok::KwWhile},
};

/// words[first_words[c - 'a']] is the first keyword that starts with letter c.
constexpr std::array<uint8_t, 27> first_words = [] {
  std::array<uint8_t, 27> t{};
  for (int c = 0; c < 27; ++c) {
    uint8_t n = 0;
    for (const Word &w : words) n += w.text[0] < 'a' + c;
    t[c] = n;
  }
  return t;
}();

Tok word_kind(std::string_view s) {
  if (s.size() < 2 || s.size() > 10 || s[0] < 'a' || s[0] > 'z') return Tok::Identifier;
  for (uint8_t i = first_words[s[0] - 'a'], e = first_words[s[0] - 'a' + 1]; i < e; ++i)
    if (words[i].text == s) return words[i].kind;
  return Tok::Identifier;
}

} // namespace

uint32_t Lexer::identifier_end(uint32_t at) const {
  if (is(peek(at), Start)) {
    ++at;
  } else if (uint8_t(peek(at)) >= 0x80) {
    Decoded d = decode_utf8(text_, at);
    if (!d.length || classify(d.c) != CharClass::Identifier) return at;
    at += d.length;
  } else {
    return at;
  }
  for (;;) {
    char c = peek(at);
    if (is(c, Continue)) {
      ++at;
    } else if (c == '!') {
      if (peek(at + 1) == '=') return at; // a!=b compares
      ++at;
    } else if (uint8_t(c) >= 0x80) {
      Decoded d = decode_utf8(text_, at);
      if (!d.length || classify(d.c) != CharClass::Identifier) return at;
      at += d.length;
    } else {
      return at;
    }
  }
}

bool Lexer::is_space_at(uint32_t at) const {
  if (at >= text_.size()) return true;
  char c = text_[at];
  if (is(c, Space) || c == '\n' || c == '#') return true;
  return uint8_t(c) >= 0x80 && classify(decode_utf8(text_, at).c) == CharClass::Space;
}

void Lexer::skip_space(Token &token) {
  const uint32_t start = at_;
  for (;;) {
    char c = peek(at_);
    if (is(c, Space)) {
      ++at_;
    } else if (c == '\n') {
      ++at_;
      if (token.newlines < 2) ++token.newlines;
    } else if (c == '#') {
      if (peek(at_ + 1) == '=') {
        const uint32_t open = at_;
        uint32_t depth = 1;
        at_ += 2;
        while (depth > 0) {
          size_t next = text_.find_first_of("#=", at_);
          if (next == text_.npos) {
            token = {.kind = Tok::Invalid,
                     .space_before = true,
                     .newlines = token.newlines,
                     .begin = open,
                     .end = open + 2,
                     .message = "unterminated multi-line comment `#= ... =#`"};
            at_ = uint32_t(text_.size());
            return;
          }
          at_ = uint32_t(next);
          if (text_[at_] == '#' && peek(at_ + 1) == '=')
            ++depth, at_ += 2;
          else if (text_[at_] == '=' && peek(at_ + 1) == '#')
            --depth, at_ += 2;
          else
            ++at_;
        }
      } else {
        size_t line_end = text_.find('\n', at_);
        at_ = line_end == text_.npos ? uint32_t(text_.size()) : uint32_t(line_end);
      }
    } else if (uint8_t(c) >= 0x80) {
      Decoded d = decode_utf8(text_, at_);
      if (!d.length || classify(d.c) != CharClass::Space) break;
      at_ += d.length;
    } else {
      break;
    }
  }
  token.space_before = at_ != start || start == 0;
}

Token Lexer::next() {
  Token token;
  skip_space(token);
  if (token.kind == Tok::Invalid) return token;
  token.begin = at_;
  if (at_ >= text_.size()) {
    token.end = at_;
    return token;
  }
  auto single = [&](Tok kind) {
    token.kind = kind;
    token.end = ++at_;
  };
  const char c = text_[at_];
  switch (c) {
  case '(': single(Tok::LParen); return token;
  case ')': single(Tok::RParen); return token;
  case '[': single(Tok::LBracket); return token;
  case ']': single(Tok::RBracket); return token;
  case '{': single(Tok::LBrace); return token;
  case '}': single(Tok::RBrace); return token;
  case ',': single(Tok::Comma); return token;
  case ';': single(Tok::Semicolon); return token;
  case '@': single(Tok::At); return token;
  case '"': single(Tok::DoubleQuote); return token;
  case '`': single(Tok::Backtick); return token;
  case '\'': single(Tok::Prime); return token;
  case '.': dot(token); return token;
  default: break;
  }
  if (is(c, Digit)) {
    number(token);
    return token;
  }
  if (uint32_t end = identifier_end(at_); end != at_) {
    token.kind = word_kind(text_.substr(at_, end - at_));
    if (token.kind == Tok::In || token.kind == Tok::Isa) token.prec = Prec::Comparison;
    token.end = at_ = end;
    return token;
  }
  if (dotted_operator(token, at_)) return token;
  Decoded d = decode_utf8(text_, at_);
  token.kind = Tok::Invalid;
  token.end = at_ + (d.length ? d.length : 1);
  token.message = !d.length                        ? "invalid UTF-8"
                  : d.c == 0x201c || d.c == 0x201d ? "invalid character: a string is quoted with \""
                                                   : "invalid character";
  at_ = token.end;
  return token;
}

/// Reads the operator at `offset` into `token`. For a dotted operator, `offset` is the place after the dot.
/// Returns false if there is no operator.
bool Lexer::dotted_operator(Token &token, uint32_t offset) {
  OperatorMatch match = match_operator(text_.substr(offset));
  if (!match.length) return false;
  token.kind = match.kind;
  token.prec = match.prec;
  token.end = offset + match.length;
  const char c = text_[offset];
  bool can_suffix = match.kind != Tok::Assign && match.kind != Tok::OpAssign && c != ':' && c != '$' &&
                    c != '?' && match.kind != Tok::Arrow && match.kind != Tok::AndAnd &&
                    match.kind != Tok::OrOr;
  while (can_suffix && uint8_t(peek(token.end)) >= 0x80) {
    Decoded d = decode_utf8(text_, token.end);
    if (!d.length || !is_operator_suffix(d.c)) break;
    token.suffixed = true;
    token.end += d.length;
  }
  if (c == '-' && peek(token.end - 1) == '-' && peek(token.end) == '-') {
    token.kind = Tok::Invalid;
    token.prec = Prec::None;
    token.end += 1;
    token.message = "`--` is no operator";
  } else if (c == '*' && match.length == 1 && peek(token.end) == '*') {
    token.kind = Tok::Invalid;
    token.prec = Prec::None;
    token.end += 1;
    token.message = "`**` is no operator: powers are written `^`";
  }
  at_ = token.end;
  return true;
}

void Lexer::dot(Token &token) {
  const char next = peek(at_ + 1);
  if (is(next, Digit)) return number(token);
  if (next == '.') {
    bool three = peek(at_ + 2) == '.';
    token.kind = three ? Tok::Ellipsis : Tok::Operator;
    token.prec = three ? Prec::None : Prec::Colon;
    token.end = at_ += three ? 3 : 2;
    return;
  }
  if (next != ':' && next != '$' && next != '?' && !(next == '-' && peek(at_ + 2) == '>') &&
      dotted_operator(token, at_ + 1)) {
    token.dotted = true;
    return;
  }
  token.kind = Tok::Dot;
  token.prec = Prec::None;
  token.end = ++at_;
}

void Lexer::number(Token &token) {
  uint32_t p = at_;
  token.kind = Tok::Number;
  auto digits = [&](uint32_t from, uint8_t mask) {
    while (is(peek(from), mask) ||
           (peek(from) == '_' && from > at_ && is(peek(from - 1), mask) && is(peek(from + 1), mask)))
      ++from;
    return from;
  };
  auto finish = [&] { token.end = at_ = p; };
  const char kind = peek(p + 1);
  if (peek(p) == '0' && (kind == 'x' || kind == 'o' || kind == 'b') && is(peek(p + 2), HexDigit)) {
    p = digits(p + 2, kind == 'x' ? HexDigit : Digit);
    if (kind == 'x') { // 0x1.8p3
      uint32_t q = p;
      if (peek(q) == '.' && peek(q + 1) != '.') q = digits(q + 1, HexDigit);
      if (peek(q) == 'p') {
        uint32_t e = q + 1;
        if (peek(e) == '+' || peek(e) == '-') ++e;
        if (is(peek(e), Digit)) p = digits(e, Digit);
      }
    }
    return finish();
  }
  if (peek(p) == '0' && (kind == 'x' || kind == 'o' || kind == 'b')) {
    token.kind = Tok::Invalid;
    token.message = kind == 'x'   ? "invalid numeric constant \"0x\""
                    : kind == 'o' ? "invalid numeric constant \"0o\""
                                  : "invalid numeric constant \"0b\"";
    p += 2;
    return finish();
  }
  p = digits(p, Digit);
  bool ends_with_dot = false;
  if (peek(p) == '.' && peek(p + 1) != '.') {
    char after = peek(p + 1);
    if (is(after, Digit)) {
      p = digits(p + 1, Digit);
    } else if (after != '\0' && std::string_view("+-*/\\^%&|<>=!~").find(after) != std::string_view::npos) {
      token.kind = Tok::Invalid;
      token.message = "ambiguous dot between a number and an operator: put a space on one side of it";
      p += 1;
      return finish();
    } else {
      p += 1;
      ends_with_dot = true;
    }
  }
  char e = peek(p);
  if (e == 'e' || e == 'E' || e == 'f') {
    uint32_t q = p + 1;
    if (peek(q) == '+' || peek(q) == '-') ++q;
    if (is(peek(q), Digit)) {
      p = digits(q, Digit);
      ends_with_dot = false;
    }
  }
  if (ends_with_dot && identifier_end(p) != p) {
    token.kind = Tok::Invalid;
    token.message = "a number that ends with a dot cannot be multiplied by what follows: write a `*`";
  }
  finish();
}

} // namespace kiln::julia
