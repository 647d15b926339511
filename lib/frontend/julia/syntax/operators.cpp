// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operators.h"

#include <string>

namespace kiln::julia {

namespace {

// Operators outside of ASCII, by precedence. Other characters in U+2190..U+22FF, U+27F0..U+297F and
// U+2A00..U+2AFF are arrows, comparisons or letters, as default_precedence() decides.
constexpr std::u32string_view plus_ops = U"¦±−∓∔∸≏∪∨⊎⊔⊕⊖⊞⊟⊻⊽⋎⋓⟇⧺⧻⨈⨢⨣⨤⨥⨦⨧⨨⨩⨪⨫⨬⨭⨮⨹⨺⩁⩂⩅⩊⩌⩏⩐⩒⩔⩖⩗⩛⩝⩡⩢⩣";
constexpr std::u32string_view times_ops =
    U"·×÷·⅋∗∘∙∤≀∧∩⊍⊓⊗⊘⊙⊚⊛⊠⊡⊼⋄⋅⋆⋇⋉⋊⋋⋌⋏⋒▷⟑⟕⟖⟗⦸⦼⦾⦿⧶⧷⨇⨝⨟⨰⨱⨲⨳⨴⨵⨶⨷⨸⨻⨼⨽⩀⩃⩄⩋⩍⩎⩑⩓⩕⩘⩚⩜⩞⩟⩠⫛";
constexpr std::u32string_view power_ops = U"↑↓⇵⟰⟱⤈⤉⤊⤋⤒⤓⥉⥌⥍⥏⥑⥔⥕⥘⥙⥜⥝⥠⥡⥣⥥⥮⥯￪￬";
constexpr std::u32string_view colon_ops = U"…⁝⋮⋯⋰⋱";
constexpr std::u32string_view assignment_ops = U"≔⩴≕";
constexpr std::u32string_view unary_ops = U"¬√∛∜";
constexpr std::u32string_view comparison_ops = U"⟂⟈⟉⟒⦷⧀⧁⧡⧣⧤⧥⩦⩧";
constexpr std::u32string_view arrow_ops = U"⧴⬰⬱⬲⬳⬴⬵⬶⬷⬸⬹⬺⬻⬼⬽⬾⬿⭀⭁⭂⭃⭄⭇⭈⭉⭊⭋⭌￩￫";
constexpr std::u32string_view letters = U"∀∁∂∃∄∅∆∇∎∏∐∑∞∟∠∡∢∫∬∭∮∯∰∱∲∳∴∵⊤⊥⊾⊿⋀⋁⋂⋃⨀⨁⨂⨃⨄⨅⨆⨉⨊⨋⨌⨍⨎⨏⨐⨑⨒⨓⨔⨕⨖⨗⨘⨙⨚⨛⨜";

bool has(std::u32string_view set, char32_t c) { return set.find(c) != set.npos; }
bool within(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

Prec default_precedence(char32_t c) {
  if (within(c, 0x2190, 0x21ff) || within(c, 0x27f5, 0x27ff) || within(c, 0x2900, 0x2918) ||
      within(c, 0x291d, 0x2920) || within(c, 0x2944, 0x2970))
    return Prec::Arrow;
  if (within(c, 0x2208, 0x22ff) || within(c, 0x2a6a, 0x2aee) || within(c, 0x2af7, 0x2afa))
    return Prec::Comparison;
  return Prec::None;
}

bool may_be_operator(char32_t c) {
  return c == 0xa6 || c == 0xac || c == 0xb1 || c == 0xb7 || c == 0xd7 || c == 0xf7 || c == 0x387 ||
         c == 0x2026 || c == 0x205d || c == 0x214b || within(c, 0x2190, 0x22ff) || c == 0x25b7 ||
         within(c, 0x27c0, 0x27ff) || within(c, 0x2900, 0x2bff) || within(c, 0xffe9, 0xffec);
}

OperatorMatch unicode_operator(char32_t c, uint32_t length) {
  if (!may_be_operator(c) || has(letters, c)) return {};
  if (has(unary_ops, c)) return {Tok::UnaryOperator, Prec::None, length};
  if (has(plus_ops, c)) return {c == U'−' ? Tok::Minus : Tok::Operator, Prec::Plus, length};
  if (has(times_ops, c)) return {Tok::Operator, Prec::Times, length};
  if (has(power_ops, c)) return {Tok::Operator, Prec::Power, length};
  if (has(colon_ops, c)) return {Tok::Operator, Prec::Colon, length};
  if (has(assignment_ops, c)) return {Tok::Operator, Prec::Assignment, length};
  if (has(arrow_ops, c)) return {Tok::Operator, Prec::Arrow, length};
  if (has(comparison_ops, c)) return {Tok::Operator, Prec::Comparison, length};
  Prec prec = default_precedence(c);
  if (prec == Prec::None) return {};
  return {Tok::Operator, prec, length};
}

} // namespace

Decoded decode_utf8(std::string_view text, size_t at) {
  auto byte = [&](size_t i) { return i < text.size() ? uint8_t(text[i]) : uint8_t(0); };
  uint8_t a = byte(at);
  auto tail = [&](size_t i) { return (byte(at + i) & 0xc0) == 0x80; };
  auto bits = [&](size_t i) { return char32_t(byte(at + i) & 0x3f); };
  if (a < 0x80) return {a, at < text.size() ? 1u : 0u};
  if (a >= 0xc2 && a < 0xe0 && tail(1)) return {char32_t(a & 0x1f) << 6 | bits(1), 2};
  if (a >= 0xe0 && a < 0xf0 && tail(1) && tail(2)) {
    char32_t c = char32_t(a & 0x0f) << 12 | bits(1) << 6 | bits(2);
    return c < 0x800 || within(c, 0xd800, 0xdfff) ? Decoded{} : Decoded{c, 3};
  }
  if (a >= 0xf0 && a < 0xf5 && tail(1) && tail(2) && tail(3)) {
    char32_t c = char32_t(a & 0x07) << 18 | bits(1) << 12 | bits(2) << 6 | bits(3);
    return c < 0x10000 || c > 0x10ffff ? Decoded{} : Decoded{c, 4};
  }
  return {};
}

void append_utf8(std::string &out, char32_t c) {
  if (c < 0x80) {
    out += char(c);
  } else if (c < 0x800) {
    out += {char(0xc0 | c >> 6), char(0x80 | (c & 0x3f))};
  } else if (c < 0x10000) {
    out += {char(0xe0 | c >> 12), char(0x80 | (c >> 6 & 0x3f)), char(0x80 | (c & 0x3f))};
  } else {
    out += {char(0xf0 | c >> 18), char(0x80 | (c >> 12 & 0x3f)), char(0x80 | (c >> 6 & 0x3f)),
            char(0x80 | (c & 0x3f))};
  }
}

CharClass classify(char32_t c) {
  if (c == 0xa0 || c == 0x1680 || within(c, 0x2000, 0x200b) || c == 0x202f || c == 0x205f || c == 0x3000 ||
      c == 0xfeff)
    return CharClass::Space;
  if (unicode_operator(c, 1).length) return CharClass::Operator;
  // Quotation marks, dashes and other punctuation are invalid. Primes (U+2032..) and U+203F are letters of
  // names.
  if (c < 0xa2 || c == 0xab || c == 0xbb || c == 0xbf || c == 0xb6 || c == 0xad ||
      within(c, 0x200c, 0x2031) || within(c, 0x2038, 0x203e) || within(c, 0x2041, 0x2056) ||
      within(c, 0x2058, 0x206f) || within(c, 0x3001, 0x3004) || within(c, 0x3008, 0x3011) ||
      within(c, 0xd800, 0xf8ff) || c >= 0xe0000)
    return CharClass::Invalid;
  return CharClass::Identifier;
}

bool is_operator_suffix(char32_t c) {
  return c == 0xb2 || c == 0xb3 || c == 0xb9 || within(c, 0x2070, 0x209c) || within(c, 0x2032, 0x2037) ||
         c == 0x2057 || within(c, 0x1d2c, 0x1d6a) || within(c, 0x1d9c, 0x1dbf) || within(c, 0x2b0, 0x2b8) ||
         within(c, 0x2e1, 0x2e3) || c == 0x2c7c;
}

OperatorMatch match_operator(std::string_view s) {
  auto at = [&](size_t i) { return i < s.size() ? s[i] : '\0'; };
  const char b = at(1), c = at(2), d = at(3);
  auto op = [](Tok kind, Prec prec, uint32_t length) { return OperatorMatch{kind, prec, length}; };
  /// Matches an operator, or its updating form (`+=` for `+`).
  auto updating = [&](Tok kind, Prec prec, uint32_t length) {
    if (at(length) == '=' && at(length + 1) != '=') return op(Tok::OpAssign, Prec::Assignment, length + 1);
    return op(kind, prec, length);
  };
  switch (at(0)) {
  case '=':
    if (b == '=') return op(Tok::Operator, Prec::Comparison, c == '=' ? 3 : 2);
    if (b == '>') return op(Tok::Pair, Prec::Pair, 2);
    return op(Tok::Assign, Prec::Assignment, 1);
  case '+':
    if (b == '+') return op(Tok::PlusPlus, Prec::Plus, 2);
    return updating(Tok::Plus, Prec::Plus, 1);
  case '-':
    if (b == '-' && c == '>') return op(Tok::Operator, Prec::Arrow, 3);
    if (b == '>') return op(Tok::Arrow, Prec::Decl, 2);
    return updating(Tok::Minus, Prec::Plus, 1);
  case '*': return updating(Tok::Star, Prec::Times, 1);
  case '/':
    return b == '/' ? updating(Tok::Operator, Prec::Rational, 2) : updating(Tok::Operator, Prec::Times, 1);
  case '\\':
  case '%': return updating(Tok::Operator, Prec::Times, 1);
  case '^': return updating(Tok::Operator, Prec::Power, 1);
  case '<':
    if (b == '-' && c == '-') return op(Tok::Operator, Prec::Arrow, d == '>' ? 4 : 3);
    if (b == '<') return updating(Tok::Operator, Prec::Shift, 2);
    if (b == '=') return op(Tok::Operator, Prec::Comparison, 2);
    if (b == ':') return op(Tok::Subtype, Prec::Comparison, 2);
    if (b == '|') return op(Tok::Operator, Prec::PipeLeft, 2);
    return op(Tok::Operator, Prec::Comparison, 1);
  case '>':
    if (b == '>') return updating(Tok::Operator, Prec::Shift, c == '>' ? 3 : 2);
    if (b == '=') return op(Tok::Operator, Prec::Comparison, 2);
    if (b == ':') return op(Tok::Supertype, Prec::Comparison, 2);
    return op(Tok::Operator, Prec::Comparison, 1);
  case '|':
    if (b == '|') return op(Tok::OrOr, Prec::Or, 2);
    if (b == '>') return op(Tok::Operator, Prec::PipeRight, 2);
    return updating(Tok::Operator, Prec::Plus, 1);
  case '&':
    if (b == '&') return op(Tok::AndAnd, Prec::And, 2);
    return updating(Tok::Ampersand, Prec::Times, 1);
  case '!':
    if (b == '=') return op(Tok::Operator, Prec::Comparison, c == '=' ? 3 : 2);
    return op(Tok::Not, Prec::None, 1);
  case '~': return op(Tok::Tilde, Prec::Assignment, 1);
  case ':':
    if (b == ':') return op(Tok::DoubleColon, Prec::Decl, 2);
    if (b == '=' && c != '=') return op(Tok::Operator, Prec::Assignment, 2);
    return op(Tok::Colon, Prec::Colon, 1);
  case '?': return op(Tok::Question, Prec::Conditional, 1);
  case '$': return op(Tok::Dollar, Prec::None, 1);
  default: break;
  }
  if (uint8_t(at(0)) < 0x80) return {};
  Decoded first = decode_utf8(s, 0);
  if (!first.length) return {};
  OperatorMatch match = unicode_operator(first.c, first.length);
  if (first.c == U'÷' || first.c == U'⊻' || first.c == U'−')
    return updating(match.kind, match.prec, match.length);
  return match;
}

} // namespace kiln::julia
