// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unicode.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

namespace kiln::unicode {

namespace {

struct Mapping {
  uint32_t first, last;
  int32_t distance;
  uint32_t step;
};

#include "unicode_tables.inc"

/// A table from characters to values, stored as runs of adjacent characters with the same value, sorted by
/// first code.
class Runs {
public:
  explicit Runs(std::span<const uint32_t> lengths) {
    uint32_t first = 0;
    for (uint32_t each : lengths) {
      firsts_.push_back(first);
      values_.push_back(each & 31);
      first += each >> 5;
    }
  }
  uint8_t operator[](uint32_t code) const {
    return values_[size_t(std::upper_bound(firsts_.begin(), firsts_.end(), code) - firsts_.begin() - 1)];
  }

private:
  std::vector<uint32_t> firsts_;
  std::vector<uint8_t> values_;
};

std::optional<uint32_t> find(std::span<const Mapping> steps, uint32_t code) {
  auto at = std::upper_bound(steps.begin(), steps.end(), code,
                             [](uint32_t c, const Mapping &m) { return c < m.first; });
  if (at == steps.begin()) return std::nullopt;
  const Mapping &m = *std::prev(at);
  if (code > m.last || (code - m.first) % m.step != 0) return std::nullopt;
  return uint32_t(int64_t(code) + m.distance);
}

constexpr uint32_t last_code = 0x10ffff;

/// Returns true if a digit follows an escape; the escape must then be written with all its digits.
bool is_followed_by(std::string_view rest, int (*is_digit)(int)) {
  return !rest.empty() && is_digit(static_cast<unsigned char>(rest[0]));
}

int is_octal(int c) { return c >= '0' && c <= '7'; }

} // namespace

Category category(uint32_t code) {
  static const Runs runs(category_runs);
  return code > last_code ? Category::Cn : Category(runs[code]);
}

std::string_view description(Category category) {
  static constexpr std::string_view texts[] = {"Cn: Other, not assigned",
                                               "Lu: Letter, uppercase",
                                               "Ll: Letter, lowercase",
                                               "Lt: Letter, titlecase",
                                               "Lm: Letter, modifier",
                                               "Lo: Letter, other",
                                               "Mn: Mark, nonspacing",
                                               "Mc: Mark, spacing combining",
                                               "Me: Mark, enclosing",
                                               "Nd: Number, decimal digit",
                                               "Nl: Number, letter",
                                               "No: Number, other",
                                               "Pc: Punctuation, connector",
                                               "Pd: Punctuation, dash",
                                               "Ps: Punctuation, open",
                                               "Pe: Punctuation, close",
                                               "Pi: Punctuation, initial quote",
                                               "Pf: Punctuation, final quote",
                                               "Po: Punctuation, other",
                                               "Sm: Symbol, math",
                                               "Sc: Symbol, currency",
                                               "Sk: Symbol, modifier",
                                               "So: Symbol, other",
                                               "Zs: Separator, space",
                                               "Zl: Separator, line",
                                               "Zp: Separator, paragraph",
                                               "Cc: Other, control",
                                               "Cf: Other, format",
                                               "Cs: Other, surrogate",
                                               "Co: Other, private use"};
  return texts[size_t(category)];
}

uint32_t to_upper(uint32_t code) { return find(upper_steps, code).value_or(code); }
uint32_t to_lower(uint32_t code) { return find(lower_steps, code).value_or(code); }
uint32_t to_title(uint32_t code) {
  const auto title = find(title_steps, code);
  return title ? *title : to_upper(code);
}

bool is_upper(uint32_t code) { return to_lower(code) != code && category(code) != Category::Lt; }
bool is_lower(uint32_t code) { return to_upper(code) != code && to_lower(code) == code; }

bool is_print(uint32_t code) {
  const Category c = category(code);
  return c >= Category::Lu && c <= Category::Zs;
}

int width(uint32_t code) {
  if (code > last_code) return 1;
  static const Runs wide(wide_runs);
  if (wide[code]) return 2;
  switch (category(code)) {
  case Category::Mn:
  case Category::Me:
  case Category::Zl:
  case Category::Zp:
  case Category::Cc:
  case Category::Cs: return 0;
  case Category::Cf: return code == 0xad; // the soft hyphen
  default: return 1;
  }
}

// ---- Julia's Char; the rules are those of Julia's base/char.jl

bool Char::is_malformed() const {
  const int ones = std::countl_one(bits), zeros = bits ? std::countr_zero(bits) & 56 : 32;
  return ones == 1 || 8 * ones + zeros > 32 ||
         (zeros < 32 && ((bits & 0x00c0c0c0) ^ 0x00808080) >> zeros != 0);
}

bool Char::is_overlong() const {
  return bits >> 24 == 0xc0 || bits >> 24 == 0xc1 || bits >> 21 == 0x0704 || bits >> 20 == 0x0f08;
}

uint32_t Char::code() const {
  if (bits < 0x80000000) return bits >> 24;
  const int ones = std::countl_one(bits);
  const uint32_t b = (bits & (0xffffffffu >> ones)) >> (8 * (4 - ones));
  return (b & 0x7f) | (b & 0x7f00) >> 2 | (b & 0x7f0000) >> 4 | (b & 0x7f000000) >> 6;
}

size_t Char::size() const { return bits ? size_t(4 - (std::countr_zero(bits) >> 3)) : 1; }

Char char_at(std::string_view text, size_t at) {
  const auto first = uint8_t(text[at]);
  Char c{uint32_t(first) << 24};
  if (first < 0xc0 || first >= 0xf8) return c;
  const int wanted = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  for (int i = 1; i < wanted && at + size_t(i) < text.size(); ++i) {
    const auto next = uint8_t(text[at + size_t(i)]);
    if ((next & 0xc0) != 0x80) break;
    c.bits |= uint32_t(next) << (24 - 8 * i);
  }
  return c;
}

Char char_of(uint32_t u) {
  if (u < 0x80) return {u << 24};
  const uint32_t c = (u & 0x3f) | (u << 2 & 0x3f00) | (u << 4 & 0x3f0000) | (u << 6 & 0x3f000000);
  if (u < 0x800) return {c << 16 | 0xc0800000};
  return {u < 0x10000 ? c << 8 | 0xe0808000 : c | 0xf0808080};
}

std::string mapped(std::string_view text, uint32_t (*map)(uint32_t)) {
  std::string out;
  for (size_t at = 0, size = 0; at < text.size(); at += size) {
    const Char c = char_at(text, at);
    size = std::min(c.size(), text.size() - at);
    if (!c.is_valid()) {
      out += text.substr(at, size);
      continue;
    }
    const Char to = char_of(map(c.code()));
    for (size_t i = 0; i < to.size(); ++i) out += char(to.bits >> (24 - 8 * i));
  }
  return out;
}

std::string escaped(std::string_view text, std::string_view also) {
  std::string out;
  for (size_t at = 0, size = 0; at < text.size(); at += size) {
    const Char c = char_at(text, at);
    size = std::min(c.size(), text.size() - at);
    const std::string_view rest = text.substr(at + size);
    if (!c.is_valid()) {
      for (size_t i = 0; i < size; ++i) out += fmt::format("\\x{:02x}", uint8_t(text[at + i]));
      continue;
    }
    const uint32_t code = c.code();
    const bool needs_all = is_followed_by(rest, std::isxdigit);
    if (code < 0x80 && also.find(char(code)) != also.npos)
      out += {'\\', char(code)};
    else if (code == 0)
      out += is_followed_by(rest, is_octal) ? "\\x00" : "\\0";
    else if (code == 0x1b)
      out += "\\e";
    else if (code == '\\')
      out += "\\\\";
    else if (code >= '\a' && code <= '\r')
      out += {'\\', "abtnvfr"[code - '\a']};
    else if (is_print(code))
      out += text.substr(at, size);
    else if (code < 0x80)
      out += fmt::format("\\x{:02x}", code);
    else if (code <= 0xffff)
      out += fmt::format("\\u{:0{}x}", code, needs_all ? 4 : 2);
    else
      out += fmt::format("\\U{:0{}x}", code, needs_all ? 8 : 4);
  }
  return out;
}

} // namespace kiln::unicode
