// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes numeric intrinsics on constants. Results equal those of compiled code bit for bit. Operations that
// are undefined in compiled code (division by zero, conversion out of range) are not folded.
#include "fold.h"

#include <bit>
#include <cmath>

namespace kiln {

namespace {

using U128 = unsigned __int128;
using I128 = __int128;

struct Ints {
  TypeContext &types;
  TypeRef type;
  unsigned width;

  U128 mask() const { return width == 128 ? ~U128(0) : (U128(1) << width) - 1; }
  static U128 bits(const Value &v) { return (U128(v.bits()[1]) << 64) | v.bits()[0]; }
  I128 sign(U128 v) const {
    unsigned shift = 128 - width;
    return I128(v << shift) >> shift;
  }
  Value make(U128 v) const {
    v &= mask();
    return Value::primitive(type, {uint64_t(v), uint64_t(v >> 64)});
  }
};

struct Product {
  U128 low, high;
};
/// Full product of 256 bits.
Product product(U128 x, U128 y) {
  const U128 a = uint64_t(x), b = x >> 64, c = uint64_t(y), d = y >> 64;
  const U128 low = a * c, middle = b * c + (low >> 64); // cannot overflow: (2^64-1)^2 + 2^64-1
  const U128 second = a * d + uint64_t(middle);
  return {x * y, b * d + (middle >> 64) + (second >> 64)};
}

/// Multiplies and returns true on overflow, like __builtin_mul_overflow, which needs compiler-rt for 128
/// bits.
bool multiply_overflows(U128 x, U128 y, U128 *to) {
  *to = x * y;
  return product(x, y).high != 0;
}
bool multiply_overflows(I128 x, I128 y, I128 *to) {
  const bool is_negative = (x < 0) != (y < 0);
  U128 size = 0; // -(2^127) has one too
  const bool over = multiply_overflows(x < 0 ? -U128(x) : U128(x), y < 0 ? -U128(y) : U128(y), &size);
  *to = I128(is_negative ? -size : size);
  return over || size > (U128(1) << 127) - !is_negative;
}

unsigned width_of(TypeContext &types, TypeRef type) {
  if (type == types.builtins().Bool) return 1;
  const DataType *data = type->as<DataType>();
  return data ? data->name().primitive_bits : 0;
}

bool is_pointer(TypeContext &types, TypeRef type) {
  const DataType *data = type->as<DataType>();
  return data && (&data->name() == types.builtins().PtrName || &data->name() == types.builtins().LLVMPtrName);
}

bool is_bits_integer(TypeContext &types, TypeRef type) {
  const DataType *data = type->as<DataType>();
  return data && data->is_primitive() && !types.is_float(type) && !is_pointer(types, type);
}

// Reads a float from a value's bits.
template <class F> F load(const Value &v);
template <> float load<float>(const Value &v) { return std::bit_cast<float>(uint32_t(v.low_bits())); }
template <> double load<double>(const Value &v) { return std::bit_cast<double>(v.low_bits()); }
template <> _Float16 load<_Float16>(const Value &v) {
  return std::bit_cast<_Float16>(uint16_t(v.low_bits()));
}
Value store(TypeRef t, float f) { return Value::primitive(t, {std::bit_cast<uint32_t>(f), 0}); }
Value store(TypeRef t, double f) { return Value::primitive(t, {std::bit_cast<uint64_t>(f), 0}); }
Value store(TypeRef t, _Float16 f) { return Value::primitive(t, {std::bit_cast<uint16_t>(f), 0}); }

template <class F>
std::optional<Value> fold_float(TypeContext &types, Intrinsic op, std::span<const Value> a, TypeRef t) {
  F x = load<F>(a[0]), y = a.size() > 1 ? load<F>(a[1]) : F(0);
  double dx = double(x);
  switch (op) {
  case Intrinsic::neg_float:
  case Intrinsic::neg_float_fast: return store(t, F(-x));
  case Intrinsic::add_float:
  case Intrinsic::add_float_fast: return store(t, F(x + y));
  case Intrinsic::sub_float:
  case Intrinsic::sub_float_fast: return store(t, F(x - y));
  case Intrinsic::mul_float:
  case Intrinsic::mul_float_fast: return store(t, F(x * y));
  case Intrinsic::div_float:
  case Intrinsic::div_float_fast: return store(t, F(x / y));
  case Intrinsic::rem_float:
  case Intrinsic::rem_float_fast: return store(t, F(std::fmod(dx, double(y))));
  case Intrinsic::eq_float:
  case Intrinsic::eq_float_fast: return types.boolean(x == y);
  case Intrinsic::ne_float:
  case Intrinsic::ne_float_fast: return types.boolean(x != y);
  case Intrinsic::lt_float:
  case Intrinsic::lt_float_fast: return types.boolean(x < y);
  case Intrinsic::le_float:
  case Intrinsic::le_float_fast: return types.boolean(x <= y);
  case Intrinsic::abs_float: return store(t, F(std::fabs(dx)));
  case Intrinsic::copysign_float: return store(t, F(std::copysign(dx, double(y))));
  case Intrinsic::sqrt_llvm:
  case Intrinsic::sqrt_llvm_fast:
    if constexpr (std::is_same_v<F, float>)
      return store(t, std::sqrt(x));
    else
      return store(t, F(std::sqrt(dx)));
  case Intrinsic::floor_llvm: return store(t, F(std::floor(dx)));
  case Intrinsic::ceil_llvm: return store(t, F(std::ceil(dx)));
  case Intrinsic::trunc_llvm: return store(t, F(std::trunc(dx)));
  case Intrinsic::rint_llvm: return store(t, F(std::nearbyint(dx)));
  case Intrinsic::fma_float:
  case Intrinsic::muladd_float:
    if constexpr (std::is_same_v<F, float> || std::is_same_v<F, double>)
      return store(t, std::fma(x, y, load<F>(a[2])));
    else // Float16: in single precision, as LLVM does without a half-precision instruction
      return store(t, F(std::fma(float(x), float(y), float(load<F>(a[2])))));
  case Intrinsic::min_float:
  case Intrinsic::max_float: {
    if (x != x || y != y) return store(t, F(x + y));
    bool smaller = x < y || (x == y && std::signbit(dx));
    return store(t, (op == Intrinsic::min_float) == smaller ? x : y);
  }
  default: return std::nullopt;
  }
}

std::optional<Value> fold_int(TypeContext &types, Intrinsic op, std::span<const Value> a) {
  Ints i{types, a[0].type(), width_of(types, a[0].type())};
  U128 x = Ints::bits(a[0]), y = a.size() > 1 ? Ints::bits(a[1]) : 0;
  I128 sx = i.sign(x), sy = a.size() > 1 ? Ints{types, a[1].type(), width_of(types, a[1].type())}.sign(y) : 0;
  // Returns the tuple (result, overflow flag). `apply` computes in 128 bits; the flag also covers narrower
  // types.
  auto overflow = [&](auto &&apply, auto a, auto b) -> std::optional<Value> {
    decltype(a) exact = 0;
    bool over = apply(a, b, &exact);
    if constexpr (std::is_same_v<decltype(a), I128>)
      over |= i.sign(U128(exact) & i.mask()) != exact;
    else
      over |= (exact & ~i.mask()) != 0;
    return Value::structure(types.tuple({i.type, types.builtins().Bool}),
                            {i.make(U128(exact)), types.boolean(over)});
  };
  // Computes an operation that promises not to overflow. No value if it does overflow, since LLVM's result
  // would be poison.
  auto fits = [&](auto &&apply, bool as_signed, bool as_unsigned) -> std::optional<Value> {
    I128 signed_result = 0;
    U128 unsigned_result = 0;
    if (as_signed &&
        (apply(sx, sy, &signed_result) || i.sign(U128(signed_result) & i.mask()) != signed_result))
      return std::nullopt;
    const bool wraps = apply(x, y, &unsigned_result);
    if (as_unsigned && (wraps || (unsigned_result & ~i.mask()) != 0)) return std::nullopt;
    return i.make(unsigned_result);
  };
  auto add = [](auto a, auto b, auto *to) { return __builtin_add_overflow(a, b, to); };
  auto subtract = [](auto a, auto b, auto *to) { return __builtin_sub_overflow(a, b, to); };
  auto multiply = [](auto a, auto b, auto *to) { return multiply_overflows(a, b, to); };
  switch (op) {
  case Intrinsic::add_nsw: return fits(add, true, false);
  case Intrinsic::add_nuw: return fits(add, false, true);
  case Intrinsic::add_nuw_nsw: return fits(add, true, true);
  case Intrinsic::sub_nsw: return fits(subtract, true, false);
  case Intrinsic::sub_nuw: return fits(subtract, false, true);
  case Intrinsic::sub_nuw_nsw: return fits(subtract, true, true);
  case Intrinsic::mul_nsw: return fits(multiply, true, false);
  case Intrinsic::mul_nuw: return fits(multiply, false, true);
  case Intrinsic::mul_nuw_nsw: return fits(multiply, true, true);
  case Intrinsic::neg_int: return i.make(-x);
  case Intrinsic::add_int: return i.make(x + y);
  case Intrinsic::sub_int: return i.make(x - y);
  case Intrinsic::mul_int: return i.make(x * y);
  case Intrinsic::sdiv_int:
    if (y == 0 || (sy == -1 && x == (U128(1) << (i.width - 1)))) return std::nullopt;
    return i.make(U128(sx / sy));
  case Intrinsic::srem_int:
    if (y == 0 || (sy == -1 && x == (U128(1) << (i.width - 1)))) return std::nullopt;
    return i.make(U128(sx % sy));
  case Intrinsic::udiv_int: return y ? std::optional(i.make(x / y)) : std::nullopt;
  case Intrinsic::urem_int: return y ? std::optional(i.make(x % y)) : std::nullopt;
  case Intrinsic::and_int: return i.make(x & y);
  case Intrinsic::or_int: return i.make(x | y);
  case Intrinsic::xor_int: return i.make(x ^ y);
  case Intrinsic::not_int: return i.make(~x);
  case Intrinsic::shl_int: return i.make(y >= i.width ? 0 : x << unsigned(y));
  case Intrinsic::lshr_int: return i.make(y >= i.width ? 0 : x >> unsigned(y));
  case Intrinsic::ashr_int: return i.make(U128(y >= i.width ? (sx < 0 ? I128(-1) : 0) : sx >> unsigned(y)));
  case Intrinsic::ctpop_int:
    return i.make(U128(std::popcount(uint64_t(x))) + U128(std::popcount(uint64_t(x >> 64))));
  case Intrinsic::ctlz_int: {
    unsigned n = 0;
    for (unsigned bit = i.width; bit-- > 0 && !((x >> bit) & 1);) n++;
    return i.make(n);
  }
  case Intrinsic::cttz_int: {
    unsigned n = 0;
    while (n < i.width && !((x >> n) & 1)) n++;
    return i.make(n);
  }
  case Intrinsic::bswap_int: {
    U128 r = 0;
    for (unsigned b = 0; b < i.width / 8; b++) r |= ((x >> (8 * b)) & 0xff) << (i.width - 8 - 8 * b);
    return i.make(r);
  }
  case Intrinsic::bitreverse_int: {
    U128 r = 0;
    for (unsigned b = 0; b < i.width; b++) r |= ((x >> b) & 1) << (i.width - 1 - b);
    return i.make(r);
  }
  case Intrinsic::eq_int: return types.boolean(x == y);
  case Intrinsic::ne_int: return types.boolean(x != y);
  case Intrinsic::slt_int: return types.boolean(sx < sy);
  case Intrinsic::sle_int: return types.boolean(sx <= sy);
  case Intrinsic::ult_int: return types.boolean(x < y);
  case Intrinsic::ule_int: return types.boolean(x <= y);
  case Intrinsic::checked_sadd_int: return overflow(add, sx, sy);
  case Intrinsic::checked_ssub_int: return overflow(subtract, sx, sy);
  case Intrinsic::checked_smul_int: return overflow(multiply, sx, sy);
  case Intrinsic::checked_uadd_int: return overflow(add, x, y);
  case Intrinsic::checked_usub_int: return overflow(subtract, x, y);
  case Intrinsic::checked_umul_int: return overflow(multiply, x, y);
  case Intrinsic::mulhi_s: {
    if (i.width <= 64) return i.make(U128((sx * sy) >> i.width));
    // High half of the unsigned product; corrected for negative operands below.
    U128 high = product(x, y).high;
    if (sx < 0) high -= y;
    if (sy < 0) high -= x;
    return i.make(high);
  }
  case Intrinsic::mulhi_u: return i.make(i.width <= 64 ? (x * y) >> i.width : product(x, y).high);
  default: return std::nullopt;
  }
}

float of_bfloat(const Value &v) { return std::bit_cast<float>(uint32_t(v.low_bits()) << 16); }

/// Rounds to the nearest BFloat16, ties to even. The conversion to Float32 rounds to odd, so that rounding
/// twice gives the same result as rounding once.
Value to_bfloat(TypeRef t, double wide) {
  auto narrow = float(wide);
  if (std::isfinite(narrow) && double(narrow) != wide) {
    auto bits = std::bit_cast<uint32_t>(narrow);
    if (std::fabs(double(narrow)) > std::fabs(wide)) --bits;
    narrow = std::bit_cast<float>(bits | 1);
  }
  const auto bits = std::bit_cast<uint32_t>(narrow);
  if (narrow != narrow) return Value::primitive(t, {(bits >> 16) | 0x40, 0});
  return Value::primitive(t, {uint16_t((bits + 0x7fff + ((bits >> 16) & 1)) >> 16), 0});
}

/// Computes a BFloat16 operation in single precision and rounds the result, as LLVM does.
std::optional<Value> fold_bfloat(TypeContext &types, Intrinsic op, std::span<const Value> args, TypeRef t) {
  std::vector<Value> wide;
  for (const Value &arg : args) wide.push_back(store(types.builtins().Float32, of_bfloat(arg)));
  auto made = fold_float<float>(types, op, wide, types.builtins().Float32);
  if (made && made->type() == types.builtins().Float32) return to_bfloat(t, load<float>(*made));
  return made;
}

std::optional<double> as_double(TypeContext &types, const Value &v) {
  const auto &b = types.builtins();
  if (v.type() == b.Float64) return load<double>(v);
  if (v.type() == b.Float32) return double(load<float>(v));
  if (v.type() == b.Float16) return double(load<_Float16>(v));
  if (v.type() == b.BFloat16) return double(of_bfloat(v));
  return std::nullopt;
}

std::optional<Value> from_double(TypeContext &types, TypeRef t, double v) {
  const auto &b = types.builtins();
  if (t == b.Float64) return store(t, v);
  if (t == b.Float32) return store(t, float(v));
  if (t == b.Float16) return store(t, _Float16(v));
  if (t == b.BFloat16) return to_bfloat(t, v);
  return std::nullopt;
}

// Computes a conversion of x to type `to`.
std::optional<Value> fold_conversion(TypeContext &types, Intrinsic op, TypeRef to, const Value &x) {
  unsigned from_width = width_of(types, x.type()), to_width = width_of(types, to);
  if (!from_width || !to_width) return std::nullopt;
  Ints from{types, x.type(), from_width}, target{types, to, to_width};
  U128 bits = Ints::bits(x);
  switch (op) {
  case Intrinsic::bitcast:
    return from_width == to_width || (from_width == 1 && to_width == 8) ? std::optional(target.make(bits))
                                                                        : std::nullopt;
  case Intrinsic::trunc_int:
  case Intrinsic::zext_int: return target.make(bits);
  case Intrinsic::sext_int: return target.make(U128(from.sign(bits)));
  case Intrinsic::sitofp:
  case Intrinsic::uitofp: {
    bool is_signed = op == Intrinsic::sitofp;
    // Convert directly, which rounds once.
    if (to == types.builtins().Float64) return store(to, is_signed ? double(from.sign(bits)) : double(bits));
    if (to == types.builtins().Float32) return store(to, is_signed ? float(from.sign(bits)) : float(bits));
    // Narrower types go through a double. Integers of more than 53 bits round to odd there, so that only the
    // second rounding counts.
    const bool is_negative = is_signed && from.sign(bits) < 0;
    U128 size = is_negative ? -U128(from.sign(bits)) : bits;
    unsigned shift = 0;
    for (; size >> 53; ++shift) size = (size >> 1) | (size & 1);
    const double wide = std::ldexp(double(uint64_t(size)), int(shift));
    return from_double(types, to, is_negative ? -wide : wide);
  }
  case Intrinsic::fptosi:
  case Intrinsic::fptoui: {
    auto value = as_double(types, x);
    if (!value || *value != *value) return std::nullopt;
    double t = std::trunc(*value);
    bool is_signed = op == Intrinsic::fptosi;
    double limit = std::ldexp(1.0, int(to_width) - (is_signed ? 1 : 0));
    if (t >= limit || t < (is_signed ? -limit : 0.0)) return std::nullopt;
    return target.make(is_signed ? U128(I128(t)) : U128(t));
  }
  case Intrinsic::fpext:
  case Intrinsic::fptrunc: {
    auto value = as_double(types, x);
    return value ? from_double(types, to, *value) : std::nullopt;
  }
  default: return std::nullopt;
  }
}

} // namespace

std::optional<Value> fold_numeric(TypeContext &types, Intrinsic op, std::span<const Value> args) {
  if (args.empty()) return std::nullopt;
  if (op >= Intrinsic::bitcast && op <= Intrinsic::fptrunc) {
    TypeRef to = args[0].as_type();
    if (!to || !args[1].is_primitive() || is_pointer(types, to) || is_pointer(types, args[1].type()))
      return std::nullopt;
    return fold_conversion(types, op, to, args[1]);
  }
  for (const Value &arg : args)
    if (!arg.is_primitive()) return std::nullopt;
  const auto &b = types.builtins();
  TypeRef t = args[0].type();
  bool shift = op == Intrinsic::shl_int || op == Intrinsic::lshr_int || op == Intrinsic::ashr_int;
  for (const Value &arg : args)
    if (arg.type() != t && !shift) return std::nullopt;
  if (op >= Intrinsic::neg_int && op <= Intrinsic::mulhi_u)
    return is_bits_integer(types, t) ? fold_int(types, op, args) : std::nullopt;
  if (op >= Intrinsic::neg_float && op <= Intrinsic::rint_llvm) {
    if (t == b.Float64) return fold_float<double>(types, op, args, t);
    if (t == b.Float32) return fold_float<float>(types, op, args, t);
    if (t == b.Float16) return fold_float<_Float16>(types, op, args, t);
    if (t == b.BFloat16) return fold_bfloat(types, op, args, t);
  }
  return std::nullopt;
}

} // namespace kiln
