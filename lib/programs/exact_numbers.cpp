// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exact_numbers.h"

#include "big_integers.h"

#include <bit>

namespace kiln {

namespace {

using U128 = unsigned __int128;

std::string bytes_of(U128 size) {
  std::string bytes;
  for (; size; size >>= 8) bytes += char(uint8_t(size));
  return bytes;
}

size_t num_bits(const std::string &bytes) {
  return bytes.empty() ? 0 : 8 * bytes.size() - size_t(std::countl_zero(uint8_t(bytes.back())));
}

U128 integer_of_bytes(const std::string &bytes) {
  U128 size = 0;
  for (size_t i = bytes.size(); i-- > 0;) size = size << 8 | uint8_t(bytes[i]);
  return size;
}

} // namespace

ExactNumber ExactNumber::finite(bool is_negative, std::string bytes, int64_t exponent) {
  while (!bytes.empty() && !bytes.back()) bytes.pop_back();
  const size_t zeros = std::min(bytes.find_first_not_of('\0'), bytes.size());
  bytes.erase(0, zeros);
  if (bytes.empty()) return {.is_negative = is_negative};
  const auto shift = unsigned(std::countr_zero(uint8_t(bytes[0])));
  for (size_t i = 0; shift && i < bytes.size(); ++i) {
    const unsigned above = i + 1 < bytes.size() ? uint8_t(bytes[i + 1]) : 0;
    bytes[i] = char(uint8_t((uint8_t(bytes[i]) | above << 8) >> shift));
  }
  if (!bytes.back()) bytes.pop_back();
  return {.is_negative = is_negative,
          .magnitude = std::move(bytes),
          .exponent = exponent + 8 * int64_t(zeros) + int64_t(shift)};
}

ExactNumber ExactNumber::of_float(double x) {
  if (std::isnan(x)) return {.kind = Kind::NaN};
  if (std::isinf(x)) return {.kind = Kind::Infinite, .is_negative = x < 0};
  int exponent = 0;
  const double part = std::frexp(std::abs(x), &exponent);
  return finite(std::signbit(x), bytes_of(U128(std::ldexp(part, 53))), exponent - 53);
}

uint64_t ExactNumber::hash() const {
  if (kind == Kind::NaN) return hash_of_float(std::nan(""));
  if (kind == Kind::Infinite) return hash_of_float(is_negative ? -INFINITY : INFINITY);
  const auto bits = int64_t(num_bits(magnitude));
  if (exponent >= 0 && bits + exponent < 127) { // rounded, as the hash of an Int128
    const auto size = __int128(integer_of_bytes(magnitude) << exponent);
    return hash_of_float(double(is_negative ? -size : size));
  }
  if (bits <= 53 && exponent >= -1074 && bits + exponent <= 1024) { // the value of a Float64
    const double size = std::ldexp(double(integer_of_bytes(magnitude)), int(exponent));
    return hash_of_float(is_negative ? -size : size);
  }
  return std::hash<std::string_view>()(magnitude) * 31 + uint64_t(exponent) * 2 + is_negative;
}

bool ExactNumber::is(int number) const {
  return kind == Kind::Finite && !is_negative && exponent == 0 && magnitude == (number ? "\1" : "");
}

std::optional<ExactNumber> exact_number(TypeContext &types, const Value &v) {
  if (const auto big = exact_big_float(v)) return big;
  if (is_big_integer(v)) {
    const std::string &digits = *big_field(v);
    return ExactNumber::finite(digits[0] == '-', digits.substr(1), 0);
  }
  if (v.type() == types.builtins().UInt128)
    return ExactNumber::finite(false, bytes_of(U128(v.bits()[1]) << 64 | v.bits()[0]), 0);
  if (v.type() == types.builtins().Char) return std::nullopt;
  if (const auto n = wide_integer_of(types, v))
    return ExactNumber::finite(*n < 0, bytes_of(*n < 0 ? -U128(*n) : U128(*n)), 0);
  if (const auto x = float_of(types, v)) return ExactNumber::of_float(*x);
  return std::nullopt;
}

} // namespace kiln
