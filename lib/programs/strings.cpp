// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions for strings: byte indices as in Julia, numbers parsed from text, Printf formats.
#include "big_integers.h"

#include <cctype>
#include <cmath>

namespace kiln {

namespace {

bool continues(char c) { return (uint8_t(c) & 0xc0) == 0x80; }

/// Returns the index after the UTF-8 character that starts at `at`.
size_t after(std::string_view text, size_t at) {
  for (++at; at < text.size() && continues(text[at]); ++at);
  return at;
}

Error string_error(Library &l, const std::string &text, int64_t index) {
  Interpreter &i = l.program.interpreter();
  if (index < 1 || index > int64_t(text.size()))
    return i.raise(i.make_exception("BoundsError", {{"a", l.text(text)}, {"i", l.types.int64(index)}}));
  return i.raise(
      i.make_exception("StringIndexError", {{"string", l.text(text)}, {"index", l.types.int64(index)}}));
}

/// One directive of a Printf format, such as %-8.3f: flags, width, precision, kind.
struct Directive {
  std::string flags;
  std::optional<int> width, precision;
  bool star_width = false, star_precision = false;
  char kind = 0;
};

Result<Directive> read_directive(std::string_view format, size_t &at) {
  Directive d;
  const size_t begin = at++;
  while (at < format.size() && std::strchr("-+ #0", format[at])) d.flags += format[at++];
  auto number = [&](bool &star) -> std::optional<int> {
    if (at < format.size() && format[at] == '*') {
      star = true;
      ++at;
      return std::nullopt;
    }
    std::optional<int> n;
    for (; at < format.size() && std::isdigit((unsigned char)format[at]); ++at)
      n = std::min(n.value_or(0) * 10 + (format[at] - '0'), 100'000);
    return n;
  };
  d.width = number(d.star_width);
  if (at < format.size() && format[at] == '.') {
    ++at;
    d.precision = number(d.star_precision);
    if (!d.precision && !d.star_precision) d.precision = 0;
  }
  while (at < format.size() && std::strchr("hlLqjzt", format[at])) ++at;
  if (at == format.size() || !std::strchr("diouxXeEfFgGaAcsp%", format[at]))
    return make_error(ErrorCode::ArgumentError,
                      fmt::format("invalid format string: '{}', invalid type specifier",
                                  format.substr(begin, at - begin + 1)));
  d.kind = format[at++];
  return d;
}

using U128 = unsigned __int128;

/// An integer as sign and magnitude, so that the smallest Int128 and the largest UInt128 fit.
struct SignedSize {
  bool is_negative = false;
  U128 size = 0;
};

std::optional<SignedSize> signed_size(TypeContext &types, const Value &v) {
  if (v.is_primitive() && v.type() == types.builtins().UInt128)
    return SignedSize{false, U128(v.bits()[1]) << 64 | v.bits()[0]};
  const auto n = wide_integer_of(types, v);
  if (!n) return std::nullopt;
  return SignedSize{*n < 0, *n < 0 ? -U128(*n) : U128(*n)};
}

std::string digits_of(U128 size, unsigned base) {
  if (base == 10 && size <= std::numeric_limits<uint64_t>::max()) return fmt::to_string(uint64_t(size));
  std::string text;
  const char *digits = base <= 36
                           ? "0123456789abcdefghijklmnopqrstuvwxyz"
                           : "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"; // as in Julia
  do text += digits[unsigned(size % base)];
  while (size /= base);
  std::ranges::reverse(text);
  return text;
}

unsigned base_of(const Directive &d) { return d.kind == 'x' || d.kind == 'X' ? 16 : d.kind == 'o' ? 8 : 10; }

/// Formats an integer of any width for %d, %x, %o and similar directives.
std::string integer_text(bool is_negative, std::string digits, const Directive &d) {
  const auto has = [&](char flag) { return d.flags.find(flag) != d.flags.npos; };
  const bool is_hex = d.kind == 'x' || d.kind == 'X';
  if (d.precision && size_t(*d.precision) > digits.size())
    digits.insert(0, size_t(*d.precision) - digits.size(), '0');
  std::string sign = is_negative ? "-" : has('+') ? "+" : has(' ') ? " " : "";
  if (has('#')) sign += is_hex ? "0x" : d.kind == 'o' ? "0" : "";
  const size_t width = size_t(d.width.value_or(0)), length = sign.size() + digits.size();
  if (has('0') && !has('-') && !d.precision && width > length) digits.insert(0, width - length, '0');
  std::string text = sign + digits;
  if (d.kind == 'X')
    for (char &c : text) c = char(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string padded(std::string text, const Directive &d) {
  size_t length = 0;
  for (char c : text) length += !continues(c);
  const size_t width = size_t(d.width.value_or(0));
  if (length >= width) return text;
  const std::string space(width - length, ' ');
  return d.flags.find('-') != d.flags.npos ? text + space : space + text;
}

Result<std::string> apply(Library &l, Directive d, const Value &v) {
  TypeContext &types = l.types;
  switch (d.kind) {
  case 's':
  case 'c': {
    std::string text;
    if (auto plain = printed_text(l, v))
      text = *plain;
    else {
      KILN_TRY(Value made, l.program.call("__to_string", std::span(&v, 1)));
      text = made.as_string() ? *made.as_string() : "";
    }
    if (d.kind == 'c' && v.is_primitive() && types.is_integer(v.type()))
      text = std::string(1, char(v.low_bits()));
    if (d.kind == 's' && d.precision) text = text.substr(0, size_t(*d.precision));
    return padded(std::move(text), d);
  }
  case 'd':
  case 'i':
  case 'u':
  case 'x':
  case 'X':
  case 'o': {
    auto n = signed_size(types, v);
    if (!n && is_big_integer(v)) {
      const Value arguments[] = {v, types.int64(base_of(d))};
      KILN_TRY(const Value made, l.program.call("__big_text", arguments));
      std::string text = *made.as_string();
      const bool is_negative = text.starts_with('-');
      return padded(integer_text(is_negative, text.substr(is_negative), d), d);
    }
    if (!n) {
      auto x = float_of(types, v);
      if (!x)
        return make_error(ErrorCode::MethodError, fmt::format("%{} does not take {}", d.kind, to_string(v)));
      if (*x != std::trunc(*x) || !(std::abs(*x) < 0x1p127))
        return make_error(ErrorCode::InexactError, fmt::format("InexactError: Int64({})", to_string(v)));
      n = SignedSize{*x < 0, U128(std::abs(*x))};
    }
    return padded(integer_text(n->is_negative, digits_of(n->size, base_of(d)), d), d);
  }
  default: break;
  }
  const std::string prefix = "%" + d.flags + (d.width ? std::to_string(*d.width) : "") +
                             (d.precision ? "." + std::to_string(*d.precision) : "");
  auto x = float_of(types, v);
  if (!x) {
    KILN_TRY(Value converted, l.program.call("float", std::span(&v, 1)));
    KILN_TRY(const std::string wide, format_big_float(converted, prefix, d.kind));
    if (!wide.empty()) return wide;
    x = float_of(types, converted);
  }
  if (!x)
    return make_error(ErrorCode::MethodError, fmt::format("%{} does not take {}", d.kind, to_string(v)));
  if (!std::isfinite(*x)) {
    std::string text = std::isnan(*x)                      ? "NaN"
                       : *x < 0                            ? "-Inf"
                       : d.flags.find('+') != d.flags.npos ? "+Inf"
                                                           : "Inf";
    return padded(std::move(text), d);
  }
  const std::string format = prefix + d.kind;
  std::string text(512, '\0');
  const int size = std::snprintf(text.data(), text.size(), format.c_str(), *x);
  if (size_t(size) >= text.size()) {
    text.resize(size_t(size) + 1);
    std::snprintf(text.data(), text.size(), format.c_str(), *x);
  }
  text.resize(size_t(size));
  return text;
}

Result<std::string> format(Library &l, std::string_view text, Args args) {
  std::string out;
  size_t next = 0;
  auto take = [&]() -> Result<Value> {
    if (next == args.size())
      return make_error(
          ErrorCode::ArgumentError,
          fmt::format("mismatch between # of format specifiers and provided args: there are only {}",
                      args.size()));
    return args[next++];
  };
  for (size_t at = 0; at < text.size();) {
    if (text[at] != '%') {
      out += text[at++];
      continue;
    }
    KILN_TRY(Directive d, read_directive(text, at));
    if (d.kind == '%') {
      out += '%';
      continue;
    }
    if (d.star_width) {
      KILN_TRY(Value v, take());
      d.width = int(v.low_bits());
    }
    if (d.star_precision) {
      KILN_TRY(Value v, take());
      d.precision = int(v.low_bits());
    }
    KILN_TRY(Value v, take());
    KILN_TRY(std::string part, apply(l, std::move(d), v));
    out += part;
  }
  if (next != args.size())
    return make_error(
        ErrorCode::ArgumentError,
        fmt::format("mismatch between # of format specifiers and provided args: {} are left over",
                    args.size() - next));
  return out;
}

} // namespace

std::string text_of_integer(unsigned __int128 size, bool is_negative, unsigned base, int64_t width) {
  std::string text = digits_of(size, base);
  if (int64_t(text.size()) < width) text.insert(0, size_t(width) - text.size(), '0');
  return is_negative ? "-" + text : text;
}

void add_strings(Library &l) {
  TypeContext &types = l.types;
  const TypeRef character = types.builtins().Char;
  l.add("getindex", 2, [&, character](Interpreter &, Args a) -> Result<Value> {
    const std::string *s = a[0].as_string();
    auto i = s ? integer_of(types, a[1]) : std::nullopt;
    if (!i) return Value();
    if (*i < 1 || *i > int64_t(s->size()) || continues((*s)[size_t(*i - 1)])) return string_error(l, *s, *i);
    const size_t at = size_t(*i - 1);
    return Value::primitive(character, {char_bits(std::string_view(*s).substr(at, after(*s, at) - at)), 0});
  });
  // __part(s, first byte, start of the last character): the substring between the two indices
  l.add("__part", 3, [&](Interpreter &, Args a) -> Result<Value> {
    const std::string *s = a[0].as_string();
    const int64_t first = int64_t(a[1].low_bits()), last = int64_t(a[2].low_bits());
    if (!s) return Value();
    if (last < first) return l.text("");
    for (int64_t i : {first, last})
      if (i < 1 || i > int64_t(s->size()) || continues((*s)[size_t(i - 1)])) return string_error(l, *s, i);
    return l.text(s->substr(size_t(first - 1), after(*s, size_t(last - 1)) - size_t(first - 1)));
  });
  l.add_any("iterate", [&, character](Interpreter &, Args a) -> Result<Value> {
    const std::string *s = !a.empty() ? a[0].as_string() : nullptr;
    if (!s || a.size() > 2) return Value();
    const size_t at = a.size() == 2 ? size_t(a[1].low_bits()) - 1 : 0;
    if (at >= s->size()) return types.nothing();
    const size_t next = after(*s, at);
    TypeRef parts[] = {character, types.builtins().Int64};
    return Value::structure(
        types.tuple(parts),
        {Value::primitive(character, {char_bits(std::string_view(*s).substr(at, next - at)), 0}),
         types.int64(int64_t(next + 1))});
  });
  l.add("__codeunit", 2, [&](Interpreter &, Args a) -> Result<Value> {
    const std::string *s = a[0].as_string();
    const int64_t i = int64_t(a[1].low_bits());
    if (!s) return Value();
    if (i < 1 || i > int64_t(s->size())) return string_error(l, *s, i);
    return Value::primitive(types.builtins().UInt8, {uint8_t((*s)[size_t(i - 1)]), 0});
  });
  l.add("__codeunits", 1, [&](Interpreter &, Args a) -> Result<Value> {
    return a[0].as_string() ? l.bytes_vector(*a[0].as_string()) : Result<Value>(Value());
  });
  // __find(text, part, from): index of the first byte of `part` in `text`, from byte `from` on; 0: not found
  l.add("__find", 3, [&](Interpreter &, Args a) -> Result<Value> {
    const std::string *s = a[0].as_string(), *part = a[1].as_string();
    if (!s || !part) return Value();
    const size_t at = s->find(*part, size_t(a[2].low_bits()) - 1);
    return types.int64(at == s->npos ? 0 : int64_t(at + 1));
  });
  l.add("__find_last", 3, [&](Interpreter &, Args a) -> Result<Value> {
    const std::string *s = a[0].as_string(), *part = a[1].as_string();
    if (!s || !part) return Value();
    const size_t at = s->rfind(*part, size_t(a[2].low_bits()) - 1);
    return types.int64(at == s->npos ? 0 : int64_t(at + 1));
  });
  l.add("__repeat_text", 2, [&](Interpreter &i, Args a) -> Result<Value> {
    const std::string *s = a[0].as_string();
    const int64_t n = int64_t(a[1].low_bits());
    if (!s) return Value();
    if (n < 0) return make_error(ErrorCode::ArgumentError, fmt::format("can't repeat a string {} times", n));
    if (uint64_t(n) * s->size() > uint64_t(1) << 31)
      return make_error(ErrorCode::OutOfMemoryError, "a string of more than 2 GiB");
    std::string all;
    for (int64_t k = 0; k < n; ++k) all += *s;
    return l.text(std::move(all));
  });
  // __digits(n, base, width)
  l.add("__digits", 3, [&](Interpreter &, Args a) -> Result<Value> {
    const auto n = signed_size(types, a[0]);
    const int64_t base = int64_t(a[1].low_bits()), width = int64_t(a[2].low_bits());
    if (!n) return Value();
    if (base < 2 || base > 62)
      return make_error(ErrorCode::ArgumentError, "string: the base is not between 2 and 62");
    return l.text(text_of_integer(n->size, n->is_negative, unsigned(base), width));
  });
  l.add("bitstring", 1, [&](Interpreter &, Args a) -> Result<Value> {
    const DataType *type = a[0].type()->as<DataType>();
    if (!a[0].is_primitive() || !type) return Value();
    std::string text;
    for (unsigned bit = unsigned(layout_of(types, type)->size) * 8; bit-- > 0;)
      text += a[0].bits()[bit / 64] >> (bit % 64) & 1 ? '1' : '0';
    return l.text(std::move(text));
  });
  l.add_any("__format", [&](Interpreter &, Args a) -> Result<Value> {
    const std::string *text = !a.empty() ? a[0].as_string() : nullptr;
    if (!text) return Value();
    KILN_TRY(std::string made, format(l, *text, a.subspan(1)));
    return l.text(std::move(made));
  });
}

} // namespace kiln
