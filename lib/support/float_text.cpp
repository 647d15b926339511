// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "float_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace kiln {

namespace {

/// 0.d1d2d3... times 10^point.
struct Decimal {
  std::string digits;
  int point = 0;
};

/// Parses "d.ddde+XX".
Decimal read_scientific(std::string_view text) {
  const size_t e = text.find('e');
  Decimal d{std::string(text.substr(0, e)), std::atoi(std::string(text.substr(e + 1)).c_str()) + 1};
  std::erase(d.digits, '.');
  while (d.digits.size() > 1 && d.digits.back() == '0') d.digits.pop_back();
  return d;
}

template <class F> Decimal shortest(F x) {
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::scientific).ptr;
  return read_scientific({buffer, size_t(end - buffer)});
}

double value_of(FloatKind kind, uint64_t bits) {
  switch (kind) {
  case FloatKind::Float16: return double(std::bit_cast<_Float16>(uint16_t(bits)));
  case FloatKind::BFloat16: return double(std::bit_cast<float>(uint32_t(bits) << 16));
  case FloatKind::Float32: return double(std::bit_cast<float>(uint32_t(bits)));
  case FloatKind::Float64: break;
  }
  return std::bit_cast<double>(bits);
}

/// Returns the shortest decimal that is nearer to a positive 16-bit float than to the neighbouring floats.
Decimal shortest_16(FloatKind kind, uint16_t bits) {
  const double x = value_of(kind, bits);
  double next = value_of(kind, uint16_t(bits + 1)), previous = value_of(kind, uint16_t(bits - 1));
  if (!std::isfinite(next)) next = 2 * x - previous;
  std::string text;
  for (int digits = 0; digits < 17; ++digits) {
    text = fmt::format("{:.{}e}", x, digits);
    double read = 0; // no strtod: it depends on the embedder's locale
    std::from_chars(text.data(), text.data() + text.size(), read);
    const double towards = read > x ? next : previous;
    if (read == x || std::abs(read - x) < std::abs(towards - x) / 2) break;
  }
  return read_scientific(text);
}

/// Rounds the decimal to six digits, ties to even, as Julia does in its short form of floats.
void shorten(Decimal &d) {
  constexpr size_t most = 6;
  if (d.digits.size() <= most) return;
  const std::string_view rest = std::string_view(d.digits).substr(most);
  const bool is_tie = rest[0] == '5' && rest.size() == 1;
  bool up = is_tie ? (d.digits[most - 1] - '0') % 2 : rest[0] >= '5';
  d.digits.resize(most);
  for (size_t i = most; up && i-- > 0;) {
    up = d.digits[i] == '9';
    d.digits[i] = up ? '0' : char(d.digits[i] + 1);
  }
  if (up) {
    d.digits.insert(0, "1");
    ++d.point;
  }
  while (d.digits.size() > 1 && d.digits.back() == '0') d.digits.pop_back();
}

/// Returns true if the rounded digits, padded with zeros up to the point, are another number: 123457.0 for
/// 123456.7.
bool is_padded_wrongly(double x, const Decimal &d) {
  const int digits = int(d.digits.size());
  if (d.point < digits) return false;
  const double unit = std::pow(10.0, d.point - digits);
  return std::abs(std::fmod(x + 0.05, unit) - 0.05) > 0.05;
}

} // namespace

std::string float_text(FloatKind kind, uint64_t bits, FloatStyle style) {
  const double x = value_of(kind, bits);
  const bool is_single = kind == FloatKind::Float32;
  const std::string_view name = kind == FloatKind::Float16    ? "Float16"
                                : kind == FloatKind::BFloat16 ? "BFloat16"
                                                              : "";
  if (!std::isfinite(x)) {
    const std::string_view mark = !style.typed                  ? ""
                                  : is_single                   ? "32"
                                  : kind == FloatKind::Float16  ? "16"
                                  : kind == FloatKind::BFloat16 ? "B16"
                                                                : "";
    return fmt::format("{}{}", std::isnan(x) ? "NaN" : x < 0 ? "-Inf" : "Inf", mark);
  }
  std::string text = std::signbit(x) ? "-" : "";
  Decimal d{"0", 1};
  if (x != 0) {
    const uint64_t size = bits & ~(uint64_t(1) << (kind == FloatKind::Float64 ? 63 : is_single ? 31 : 15));
    d = kind == FloatKind::Float64 ? shortest(std::abs(x))
        : is_single                ? shortest(std::abs(float(x)))
                                   : shortest_16(kind, uint16_t(size));
    if (style.compact) shorten(d);
  }
  const int digits = int(d.digits.size()), max_plain = name.empty() ? 6 : 3;
  const bool is_plain = -4 < d.point && d.point <= max_plain && !is_padded_wrongly(std::abs(x), d);
  if (!is_plain) {
    text += fmt::format("{}.{}{}{}", d.digits[0], digits > 1 ? std::string_view(d.digits).substr(1) : "0",
                        is_single && !style.printed ? 'f' : 'e', d.point - 1);
  } else if (d.point <= 0) {
    text += "0." + std::string(size_t(-d.point), '0') + d.digits;
  } else {
    d.digits.resize(size_t(std::max(digits, d.point + 1)), '0');
    text += d.digits.insert(size_t(d.point), ".");
  }
  if (!style.typed) return text;
  if (is_single) return is_plain ? text + "f0" : text;
  return name.empty() ? text : fmt::format("{}({})", name, text);
}

} // namespace kiln
