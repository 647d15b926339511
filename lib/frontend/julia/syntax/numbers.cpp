// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <locale.h>

namespace kiln::julia {

namespace {

using Wide = unsigned __int128;

PrimitiveBits bits_of(Wide v) { return {uint64_t(v), uint64_t(v >> 64)}; }

int digit_value(char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; }

int bit_width(Wide v) {
  uint64_t high = uint64_t(v >> 64);
  return high ? 64 + std::bit_width(high) : std::bit_width(uint64_t(v));
}

/// Parses 0x.., 0o.. and 0b..: unsigned integers, wide enough for all digits. Leading zeros count as digits.
NumberResult parse_based(TypeContext &types, std::string_view digits, int shift) {
  const TypeContext::Builtins &b = types.builtins();
  Wide value = 0;
  size_t count = 0;
  for (char c : digits) {
    if (c == '_') continue;
    int d = digit_value(c);
    if (d >= 1 << shift)
      return {{}, fmt::format("`{}` is no digit of a {} number", c, shift == 1 ? "binary" : "octal")};
    if (value >> (128 - shift)) return {.is_wide = true};
    value = value << shift | Wide(d);
    ++count;
  }
  size_t width = digits[0] == '0' ? (count - 1) * size_t(shift) + 1 : size_t(bit_width(value));
  if (shift == 4) width = count * 4;
  if (width <= 8) return {Value::primitive(b.UInt8, bits_of(value)), {}};
  if (width <= 16) return {Value::primitive(b.UInt16, bits_of(value)), {}};
  if (width <= 32) return {Value::primitive(b.UInt32, bits_of(value)), {}};
  if (width <= 64) return {Value::primitive(b.UInt64, bits_of(value)), {}};
  if (width <= 128) return {Value::primitive(b.UInt128, bits_of(value)), {}};
  return {.is_wide = true};
}

NumberResult parse_integer(TypeContext &types, std::string_view digits, bool negative) {
  constexpr Wide largest = ~Wide(0) >> 1;
  const Wide limit = negative ? largest + 1 : largest;
  Wide value = 0;
  for (char c : digits) {
    if (c == '_') continue;
    Wide d = Wide(c - '0');
    if (value > (limit - d) / 10) return {.is_wide = true};
    value = value * 10 + d;
  }
  Wide signed_value = negative ? Wide(0) - value : value;
  bool small = value < (Wide(1) << 63) || (negative && value == (Wide(1) << 63));
  if (small) return {types.int64(int64_t(uint64_t(signed_value))), {}};
  return {Value::primitive(types.builtins().Int128, bits_of(signed_value)), {}};
}

template <class Float> NumberResult parse_float(TypeContext &types, std::string text, bool hex) {
  Float value = 0;
  const char *first = text.data(), *last = first + text.size();
  auto [end, status] =
      std::from_chars(first, last, value, hex ? std::chars_format::hex : std::chars_format::general);
  if (status == std::errc::result_out_of_range) { // overflow, or subnormal or zero
    text.insert(0, hex ? "0x" : "");
    // Locale for strtod_l(). In the embedder's locale, strtod() may expect 1,5 for 1.5.
    static const locale_t c_locale = ::newlocale(LC_ALL_MASK, "C", nullptr); // built into the C library
    value = std::is_same_v<Float, float> ? Float(::strtof_l(text.c_str(), nullptr, c_locale))
                                         : Float(::strtod_l(text.c_str(), nullptr, c_locale));
    if (std::isinf(value)) return {{}, "the number is too large for its type"};
  } else if (status != std::errc() || end != last) {
    return {{}, "malformed number"};
  }
  if constexpr (std::is_same_v<Float, float>)
    return {types.float32(value), {}};
  else
    return {types.float64(value), {}};
}

} // namespace

NumberResult parse_number(TypeContext &types, std::string_view text, bool negative) {
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'o' || text[1] == 'b')) {
    if (text[1] != 'x') return parse_based(types, text.substr(2), text[1] == 'o' ? 3 : 1);
    if (text.find('p') == text.npos) return parse_based(types, text.substr(2), 4);
    std::string plain = negative ? "-" : "";
    for (char c : text.substr(2))
      if (c != '_') plain += c;
    if (size_t plus = plain.find('+'); plus != plain.npos) plain.erase(plus, 1);
    return parse_float<double>(types, std::move(plain), true);
  }
  if (text.find_first_not_of("0123456789_") == text.npos) return parse_integer(types, text, negative);
  std::string plain = negative ? "-" : "";
  bool single = false;
  for (char c : text) {
    if (c == '_' || c == '+') continue;
    single |= c == 'f';
    plain += c == 'f' ? 'e' : c;
  }
  return single ? parse_float<float>(types, std::move(plain), false)
                : parse_float<double>(types, std::move(plain), false);
}

} // namespace kiln::julia
