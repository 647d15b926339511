// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses numbers from text, by the rules of Julia's base/parse.jl.
#include "library.h"

#include <support/unicode.h>

#include <locale.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <variant>

namespace kiln {

namespace {

using U128 = unsigned __int128;

bool is_space(uint32_t code) {
  return code == ' ' || (code >= 9 && code <= 13) || code == 0x85 || code == 0xa0 || code == 0x1680 ||
         (code >= 0x2000 && code <= 0x200a) || code == 0x2028 || code == 0x2029 || code == 0x202f ||
         code == 0x205f || code == 0x3000;
}

struct Failure {
  bool is_overflow = false;
  std::string message;
};

/// Reads a text character by character. code() is 0 at the end.
class Reader {
public:
  explicit Reader(std::string_view text) : text_(text) { next(); }
  uint32_t code() const { return code_; }
  std::string_view character() const { return text_.substr(begin_, end_ - begin_); }
  bool is_at_end() const { return begin_ == text_.size(); }
  void next() {
    begin_ = end_;
    code_ = 0;
    if (is_at_end()) return;
    const unicode::Char c = unicode::char_at(text_, begin_);
    end_ = std::min(begin_ + c.size(), text_.size());
    code_ = c.is_valid() ? c.code() : 0xffffffff;
  }
  void skip_spaces() {
    while (!is_at_end() && is_space(code_)) next();
  }

private:
  std::string_view text_;
  size_t begin_ = 0, end_ = 0;
  uint32_t code_ = 0;
};

unsigned digit_of(uint32_t code, unsigned base) {
  const unsigned lower = base <= 36 ? 10 : 36;
  if (code >= '0' && code <= '9') return code - '0';
  if (code >= 'A' && code <= 'Z') return code - 'A' + 10;
  if (code >= 'a' && code <= 'z') return code - 'a' + lower;
  return base;
}

struct IntegerType {
  bool is_signed = true;
  unsigned bits = 64;
};

/// Parses an integer, and returns its bits. `base` 0: the prefix 0x, 0o or 0b decides, else 10.
std::variant<U128, Failure> read_integer(std::string_view text, IntegerType type, unsigned base) {
  const auto quoted = [&] { return fmt::format("\"{}\"", unicode::escaped(text, "\"$")); };
  Reader at(text);
  at.skip_spaces();
  bool is_negative = false;
  if (type.is_signed && (at.code() == '-' || at.code() == '+')) {
    is_negative = at.code() == '-';
    at.next();
  }
  at.skip_spaces();
  if (at.is_at_end()) return Failure{false, "input string is empty or only contains whitespace"};
  if (base == 0) {
    base = 10;
    Reader prefix = at;
    if (prefix.code() == '0') {
      prefix.next();
      base = prefix.code() == 'b' ? 2 : prefix.code() == 'o' ? 8 : prefix.code() == 'x' ? 16 : 10;
      if (base != 10) {
        at = prefix;
        at.next();
      }
    }
  }
  if (at.is_at_end()) return Failure{false, fmt::format("premature end of integer: {}", quoted())};
  const U128 max_value =
      type.is_signed ? (U128(1) << (type.bits - 1)) - !is_negative : ~U128(0) >> (128 - type.bits);
  U128 value = 0;
  bool is_first = true;
  for (; !at.is_at_end() && (is_first || !is_space(at.code())); at.next(), is_first = false) {
    const unsigned digit = digit_of(at.code(), base);
    if (digit >= base)
      return Failure{false, fmt::format("invalid base {} digit '{}' in {}", base,
                                        unicode::escaped(at.character(), "'"), quoted())};
    if (value > (max_value - digit) / base)
      return Failure{true, fmt::format("overflow parsing {}", quoted())};
    value = value * base + digit;
  }
  at.skip_spaces();
  if (!at.is_at_end())
    return Failure{false, fmt::format("extra characters after whitespace in {}", quoted())};
  return is_negative ? -value : value;
}

locale_t c_locale() {
  static const locale_t made = newlocale(LC_ALL_MASK, "C", nullptr);
  return made;
}

template <class F> std::optional<F> read_float(std::string_view text) {
  Reader at(text);
  at.skip_spaces();
  std::string word;
  for (; !at.is_at_end() && !is_space(at.code()); at.next()) word += at.character();
  at.skip_spaces();
  if (word.empty() || !at.is_at_end()) return std::nullopt;
  if (size_t f = word.find('f'); f != word.npos && f > 0 && word.find_first_of("xX") == word.npos &&
                                 (std::isdigit((unsigned char)word[f - 1]) || word[f - 1] == '.'))
    word[f] = 'e'; // 1f0, a Float32's literal
  char *end = nullptr;
  F value;
  if constexpr (std::is_same_v<F, float>)
    value = strtof_l(word.c_str(), &end, c_locale());
  else
    value = strtod_l(word.c_str(), &end, c_locale());
  return end == word.data() + word.size() ? std::optional(value) : std::nullopt;
}

} // namespace

void add_parsing(Library &l) {
  TypeContext &types = l.types;
  const auto &b = types.builtins();
  // __parse_integer(T, text, base): the number, or (is it an overflow, reason)
  l.add("__parse_integer", 3, [&](Interpreter &, Args a) -> Result<Value> {
    const std::string *text = a[1].as_string();
    const DataType *type = a[0].as_type() ? a[0].as_type()->as<DataType>() : nullptr;
    if (!text || !type || !types.is_integer(type)) return Value();
    const IntegerType of{!type->name().name.text().starts_with("U"), type->name().primitive_bits};
    const auto read = read_integer(*text, of, unsigned(a[2].low_bits()));
    if (const auto *failure = std::get_if<Failure>(&read)) {
      TypeRef parts[] = {b.Bool, b.String};
      return Value::structure(types.tuple(parts),
                              {types.boolean(failure->is_overflow), l.text(failure->message)});
    }
    const U128 bits = std::get<U128>(read) & ~U128(0) >> (128 - of.bits);
    return Value::primitive(type, {uint64_t(bits), uint64_t(bits >> 64)});
  });
  // __parse_float(T, text): the number as Float64 or Float32, rounded once; nothing if the text is no number
  l.add("__parse_float", 2, [&](Interpreter &, Args a) -> Result<Value> {
    const std::string *text = a[1].as_string();
    if (!text) return Value();
    if (a[0].as_type() == b.Float32) {
      const auto x = read_float<float>(*text);
      return x ? types.float32(*x) : l.nothing();
    }
    const auto x = read_float<double>(*text);
    return x ? types.float64(*x) : l.nothing();
  });
}

} // namespace kiln
