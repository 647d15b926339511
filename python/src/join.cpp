// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins types of values that meet in a variable, as Numba does. Two integers of one sign give the larger
// type. Different signs give the next larger signed type, or float64 if there is none. float32 with integers
// up to 16 bits stays float32; all other mixes with floats give float64.
#include "engine.h"

namespace kiln::python {

namespace {

struct Number {
  enum Class { None, Boolean, Signed, Unsigned, Float } kind = None;
  uint32_t bits = 0;
};

Number number(const TypeContext::Builtins &t, TypeRef type) {
  const auto *data = type->as<DataType>();
  if (!data || !data->is_primitive()) return {};
  const uint32_t bits = data->name().primitive_bits;
  if (type == t.Bool) return {Number::Boolean, 8};
  for (TypeRef each : {t.Int8, t.Int16, t.Int32, t.Int64})
    if (type == each) return {Number::Signed, bits};
  for (TypeRef each : {t.UInt8, t.UInt16, t.UInt32, t.UInt64})
    if (type == each) return {Number::Unsigned, bits};
  for (TypeRef each : {t.Float16, t.Float32, t.Float64})
    if (type == each) return {Number::Float, bits};
  return {};
}

TypeRef float_of(const TypeContext::Builtins &t, uint32_t bits) {
  return bits <= 16 ? t.Float16 : bits <= 32 ? t.Float32 : t.Float64;
}
TypeRef signed_of(const TypeContext::Builtins &t, uint32_t bits) {
  return bits <= 8 ? t.Int8 : bits <= 16 ? t.Int16 : bits <= 32 ? t.Int32 : t.Int64;
}

/// Returns the bits of the float type to which number type `n` converts when it meets a float.
uint32_t float_bits(Number n) {
  if (n.kind == Number::Float) return n.bits;
  if (n.kind == Number::Boolean) return 16;
  return n.bits <= 16 ? 32 : 64;
}

TypeRef join_numbers(const TypeContext::Builtins &t, TypeRef a, TypeRef b) {
  const Number m = number(t, a), n = number(t, b);
  if (!m.kind || !n.kind) return nullptr;
  if (m.kind == Number::Float || n.kind == Number::Float)
    return float_of(t, std::max(float_bits(m), float_bits(n)));
  if (m.kind == Number::Boolean) return b;
  if (n.kind == Number::Boolean) return a;
  if (m.kind == n.kind) return m.bits > n.bits ? a : b;
  const Number &is_signed = m.kind == Number::Signed ? m : n, &is_unsigned = m.kind == Number::Signed ? n : m;
  if (is_signed.bits > is_unsigned.bits) return signed_of(t, is_signed.bits);
  return is_unsigned.bits == 64 ? t.Float64 : signed_of(t, is_unsigned.bits * 2);
}

/// T in Complex{T}.
TypeRef real_part(TypeRef type) {
  const auto *data = type->as<DataType>();
  return data && data->name().name.text() == "Complex" && data->name().module == "Base" ? data->params()[0]
                                                                                        : nullptr;
}

/// Joins two array types of equal element and rank. Different layouts give arbitrary strides, different
/// address spaces the generic one.
TypeRef join_arrays(TypeContext &types, TypeRef a, TypeRef b) {
  const auto *x = a->as<DataType>(), *y = b->as<DataType>();
  if (!x || !y || x->params().size() != 4 || y->params().size() != 4) return nullptr;
  auto layout = [](const DataType *type) -> char {
    const std::string_view name = type->name().name.text();
    return name.size() == 6 && name.ends_with("Array") && type->name().module.ends_with("Python") ? name[0]
                                                                                                  : 0;
  };
  if (!layout(x) || !layout(y)) return nullptr;
  for (size_t i = 0; i < 2; i++)
    if (x->params()[i] != y->params()[i]) return nullptr;
  std::vector<TypeRef> params(x->params().begin(), x->params().end());
  if (x->params()[2] != y->params()[2]) params[2] = types.constant(int64_t(0)); // any memory
  const TypeRef read_only = types.constant(types.boolean(true));
  if (y->params()[3] == read_only) params[3] = read_only;
  if (layout(x) == layout(y)) return types.data(x->name(), params);
  const TypeName *any = types.find_type_name(x->name().module, types.symbol("SArray"));
  return any ? types.data(*any, params) : nullptr;
}

} // namespace

TypeRef join_types(TypeContext &types, TypeRef a, TypeRef b) {
  const auto &t = types.builtins();
  if (TypeRef joined = join_numbers(t, a, b)) return joined;
  const TypeRef real_a = real_part(a), real_b = real_part(b);
  if (real_a || real_b) {
    const TypeRef x = real_a ? real_a : a, y = real_b ? real_b : b;
    TypeRef part = x == y ? x : join_numbers(t, x, y);
    if (!part) return nullptr;
    if (part != t.Float32) part = t.Float64;
    const auto *complex = (real_a ? a : b)->as<DataType>();
    const TypeRef params[] = {part};
    return types.data(complex->name(), params);
  }
  const auto *x = a->as<DataType>(), *y = b->as<DataType>();
  if (x && y && x->is_tuple() && y->is_tuple() && x->params().size() == y->params().size()) {
    std::vector<TypeRef> elements;
    for (size_t i = 0; i < x->params().size(); i++) {
      const TypeRef p = x->params()[i], q = y->params()[i];
      const TypeRef joined = p == q ? p : join_types(types, p, q);
      if (!joined) return nullptr;
      elements.push_back(joined);
    }
    return types.tuple(elements);
  }
  return join_arrays(types, a, b);
}

} // namespace kiln::python
