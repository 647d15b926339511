// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the signatures of two methods.
#include "dispatch.h"

namespace kiln {

/// Finds the type name that an argument for this parameter must have, or `a_union` for a union. Null:
/// unknown.
static const TypeName a_union;
static const TypeName *name_of_parameter(TypeRef type) {
  type = without_where(type);
  while (const auto *var = type->as<TypeVar>()) {
    if (var->lower()->kind() != TypeKind::Bottom) return nullptr;
    type = without_where(var->upper());
  }
  if (type->is<UnionType>() && !type->has_free_vars()) return &a_union;
  const auto *data = type->as<DataType>();
  return data && !data->name().is_type ? &data->name() : nullptr;
}

/// The X of a parameter Type{X}; null: another parameter.
static TypeRef type_argument(TypeRef type) {
  const auto *data = without_where(type)->as<DataType>();
  return data && data->name().is_type && !data->params().empty() ? data->params()[0] : nullptr;
}

/// Quick test for unequal signatures. Types with different names are unequal. A union, whose members do not
/// cover each other, and a single type are unequal too. Cheaper than two subtype tests.
static bool differ_in_a_name(TypeContext &types, const MethodEntry &a, const MethodEntry &b) {
  std::span<const TypeRef> x = tuple_elements(types, a.method->signature),
                           y = tuple_elements(types, b.method->signature);
  for (uint32_t i = 0; i < a.fixed; ++i) {
    if (x[i] == y[i]) continue;
    const TypeRef of_x = type_argument(x[i]), of_y = type_argument(y[i]);
    const bool are_types = of_x && of_y;
    const TypeName *p = name_of_parameter(are_types ? of_x : x[i]),
                   *q = name_of_parameter(are_types ? of_y : y[i]);
    if (!p || !q || p == q) continue;
    const bool splits = p->is_tuple || q->is_tuple || p->is_named_tuple ||
                        q->is_named_tuple; // a tuple may equal a union of tuples
    if ((p != &a_union && q != &a_union) || !splits) return true;
  }
  return false;
}

bool equal_signatures(TypeContext &types, const MethodEntry &a, const MethodEntry &b) {
  if (a.method->signature == b.method->signature) return true;
  return a.fixed == b.fixed && a.vararg == b.vararg && a.leaves == b.leaves &&
         !differ_in_a_name(types, a, b) && equal_types(types, a.method->signature, b.method->signature);
}

} // namespace kiln
