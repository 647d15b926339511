// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "types.h"

namespace kiln {

namespace {

// Quantifies an element of a signature over the signature's variables.
TypeRef close(TypeContext &types, TypeRef element, const std::vector<const TypeVar *> &vars) {
  for (size_t i = vars.size(); i-- > 0;) element = types.union_all(vars[i], element);
  return element;
}

TypeRef element_at(std::span<const TypeRef> params, size_t i) {
  const VarargType *rest = !params.empty() ? params.back()->as<VarargType>() : nullptr;
  if (rest && i + 1 >= params.size()) return rest->element();
  return i < params.size() ? params[i] : nullptr;
}

/// True if, by type names alone, every type that `a` can be is a subtype of `b`. Example: Type{SA} where
/// SA<:StaticArray{S}, and Type{<:AbstractArray{<:Any,N}}, although neither is a subtype of the other.
bool is_below_by_name(TypeContext &types, TypeRef a, TypeRef b) {
  auto bound = [&](TypeRef type) {
    std::vector<const TypeVar *> vars;
    types.unwrap_all(type, vars, type);
    while (const auto *var = type->as<TypeVar>()) {
      type = var->upper();
      types.unwrap_all(type, vars, type);
    }
    return type;
  };
  a = bound(a);
  b = bound(b);
  if (b == types.builtins().Any) return a != b;
  if (const auto *either = a->as<UnionType>())
    return std::ranges::all_of(either->members(), [&](TypeRef m) { return is_below_by_name(types, m, b); });
  if (const auto *either = b->as<UnionType>())
    return std::ranges::any_of(either->members(), [&](TypeRef m) { return is_below_by_name(types, a, m); });
  const auto *x = a->as<DataType>(), *y = b->as<DataType>();
  if (!x || !y || x->is_tuple() || y->is_tuple()) return false;
  if (x->name().is_type && y->name().is_type) return is_below_by_name(types, x->params()[0], y->params()[0]);
  if (x->name().is_type || y->name().is_type) return false;
  if (&x->name() == &y->name()) { // P{N,1} precedes P{N,N}, and P{<:OneTo} precedes P{<:AbstractUnitRange{T}}
    bool is_narrower = false;
    for (size_t i = 0; i < x->params().size(); ++i) {
      const TypeRef p = x->params()[i], q = y->params()[i];
      const bool is_var = p->is<TypeVar>(), is_other_var = q->is<TypeVar>();
      if (is_var && !is_other_var) return false;
      is_narrower |= !is_var && is_other_var && !p->has_free_vars();
      if (!is_var || !is_other_var) continue;
      const TypeRef upper = bound(p), other = bound(q);
      if (is_below_by_name(types, other, upper)) return false;
      is_narrower |= is_below_by_name(types, upper, other);
    }
    return is_narrower;
  }
  while (&x->name() != &y->name()) {
    const auto *next = types.super(x)->as<DataType>();
    if (!next || next == x) return false;
    x = next;
  }
  return true;
}

/// Returns the members of a union inside where-types, each quantified over the variables. For any other type,
/// returns the type alone.
std::vector<TypeRef> members_of(TypeContext &types, TypeRef type) {
  std::vector<const TypeVar *> vars;
  TypeRef body = nullptr;
  types.unwrap_all(type, vars, body);
  const auto *either = body->as<UnionType>();
  if (!either) return {type};
  std::vector<TypeRef> members;
  for (TypeRef member : either->members()) members.push_back(close(types, member, vars));
  return members;
}

/// True if some member of `a` is a strict subtype of a member of `b`, and none is a strict supertype.
/// Example: a union of special arrays, and a union of general ones. For Type{A} where A<:B, compares B.
bool has_narrower_members(TypeContext &types, TypeRef a, TypeRef b) {
  auto bound = [&](TypeRef type) -> TypeRef {
    std::vector<const TypeVar *> vars;
    TypeRef body = nullptr;
    types.unwrap_all(type, vars, body);
    const auto *data = body->as<DataType>();
    const auto *var = data && data->name().is_type ? data->params()[0]->as<TypeVar>() : nullptr;
    return var ? close(types, var->upper(), vars) : data && data->name().is_type ? nullptr : type;
  };
  a = bound(a);
  b = bound(b);
  if (!a || !b) return false;
  const std::vector<TypeRef> x = members_of(types, a), y = members_of(types, b);
  if (x.size() == 1 && y.size() == 1) return false;
  bool narrower = false;
  for (TypeRef m : x)
    for (TypeRef n : y) {
      const bool below = is_subtype(types, m, n), above = is_subtype(types, n, m);
      if (above && !below) return false;
      narrower |= below && !above;
    }
  return narrower;
}

/// True for keyword sorters, the functions behind keyword calls. Their first argument lists the keywords,
/// which does not affect specificity.
bool is_keyword_sorter(std::span<const TypeRef> params) {
  const auto *callee = params.empty() ? nullptr : params[0]->as<DataType>();
  return callee && callee->name().is_function && callee->name().function_name.text() == "kwcall";
}

} // namespace

bool is_more_specific(TypeContext &types, TypeRef a, TypeRef b) {
  if (a == b || !a || !b) return false;
  bool below = is_subtype(types, a, b), above = is_subtype(types, b, a);
  if (below != above) return below;
  std::vector<const TypeVar *> avars, bvars;
  TypeRef abody = nullptr, bbody = nullptr;
  types.unwrap_all(a, avars, abody);
  types.unwrap_all(b, bvars, bbody);
  const auto *x = abody->as<DataType>(), *y = bbody->as<DataType>();
  if (!x || !y || !x->is_tuple() || !y->is_tuple()) return false;
  auto xp = x->params(), yp = y->params();
  bool xrest = !xp.empty() && xp.back()->is<VarargType>(), yrest = !yp.empty() && yp.back()->is<VarargType>();
  size_t xfixed = xp.size() - (xrest ? 1 : 0), yfixed = yp.size() - (yrest ? 1 : 0);
  if (!below && !may_intersect(types, a, b)) return false;
  const bool sorts_keywords = is_keyword_sorter(xp) && is_keyword_sorter(yp);
  // Compare argument by argument: `a` must never be less specific, and at least once more specific.
  bool somewhere = false;
  for (size_t i = 0; i < std::max(xfixed, yfixed); i++) {
    TypeRef xi = element_at(xp, i), yi = element_at(yp, i);
    if (!xi || !yi) return false;
    xi = close(types, xi, avars);
    yi = close(types, yi, bvars);
    if (xi == yi) continue;
    bool le = is_subtype(types, xi, yi), ge = is_subtype(types, yi, xi);
    if (i == 1 && sorts_keywords) continue;
    // An argument may be a tuple that is more specific: Tuple{Vararg{Integer}} precedes
    // Tuple{Any,Vararg{Any}}.
    if ((le && !ge) || (!le && !ge &&
                        (is_below_by_name(types, xi, yi) || has_narrower_members(types, xi, yi) ||
                         is_more_specific(types, xi, yi))))
      somewhere = true;
    else if (!le)
      return false;
  }
  if (somewhere) return true;
  if (xrest != yrest) return !xrest;
  if (xrest && xfixed != yfixed) return xfixed > yfixed;
  if (xrest) {
    TypeRef xi = close(types, element_at(xp, xfixed), avars),
            yi = close(types, element_at(yp, yfixed), bvars);
    if (is_subtype(types, xi, yi) && !is_subtype(types, yi, xi)) return true;
  }
  // All arguments are equal: a signature whose variable occurs in several arguments is more specific than one
  // with separate variables.
  return avars.size() < bvars.size() && below;
}

} // namespace kiln
