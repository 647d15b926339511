// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "subtype_engine.h"
#include "types.h"

namespace kiln {

using subtyping::Engine;

bool is_subtype(TypeContext &types, TypeRef a, TypeRef b) {
  if (!a || !b) return false;
  if (a == b || b == types.builtins().Any || a->kind() == TypeKind::Bottom) return true;
  // For data types without variables, follow the chain of supertypes. This case is the most common one in
  // dispatch.
  const auto *x = a->as<DataType>();
  const auto *y = b->as<DataType>();
  if (x && y && y->params().empty() && x->params().empty() && !x->name().is_type && !y->name().is_type) {
    while (x != y) {
      const auto *next = types.super(x)->as<DataType>();
      if (!next || next == x) break;
      x = next;
      if (!x->params().empty()) break;
    }
    if (x == y) return true;
    if (x->params().empty()) return false;
  }
  return Engine(types).run(a, b);
}

bool equal_types(TypeContext &types, TypeRef a, TypeRef b) {
  return (a && a == b) || (is_subtype(types, a, b) && is_subtype(types, b, a));
}

std::optional<std::vector<TypeRef>> match_signature(TypeContext &types, TypeRef type, TypeRef signature) {
  if (!type || !signature) return std::nullopt;
  std::vector<const TypeVar *> vars;
  TypeRef body = nullptr;
  types.unwrap_all(signature, vars, body);
  if (vars.empty()) {
    if (!is_subtype(types, type, signature)) return std::nullopt;
    return std::vector<TypeRef>();
  }
  Engine engine(types);
  for (const TypeVar *var : vars) engine.bind_right(var);
  if (!engine.run_body(type, body)) return std::nullopt;
  std::vector<TypeRef> values;
  for (const auto &binding : engine.bindings()) {
    if (binding.lower->kind() != TypeKind::Bottom && !binding.lower->has_free_vars())
      values.push_back(binding.lower);
    else if (binding.upper != binding.var->upper() && !binding.upper->has_free_vars())
      values.push_back(binding.upper);
    else if (binding.invariant > 0 && binding.lower->kind() == TypeKind::Bottom &&
             binding.upper->kind() == TypeKind::Bottom)
      values.push_back(binding.lower); // T of Type{Union{}}
    else
      values.push_back(binding.var);
  }
  return values;
}

bool may_intersect(TypeContext &types, TypeRef a, TypeRef b) {
  if (!a || !b) return false;
  if (a == b) return a->kind() != TypeKind::Bottom;
  if (a->kind() == TypeKind::Bottom || b->kind() == TypeKind::Bottom) return false;
  const auto &builtins = types.builtins();
  if (a == builtins.Any || b == builtins.Any) return true;
  auto any_member = [&](const UnionType *u, TypeRef other) {
    for (TypeRef m : u->members())
      if (may_intersect(types, m, other)) return true;
    return false;
  };
  if (const auto *u = a->as<UnionType>()) return any_member(u, b);
  if (const auto *u = b->as<UnionType>()) return any_member(u, a);
  if (const auto *v = a->as<TypeVar>()) return may_intersect(types, v->upper(), b) || b->is<ConstType>();
  if (const auto *v = b->as<TypeVar>()) return may_intersect(types, a, v->upper()) || a->is<ConstType>();
  if (const auto *w = a->as<UnionAllType>()) return may_intersect(types, w->body(), b);
  if (const auto *w = b->as<UnionAllType>()) return may_intersect(types, a, w->body());
  const auto *x = a->as<DataType>(), *y = b->as<DataType>();
  if (!x || !y) return false; // values: equal values would be the same pointer
  bool x_type = x->name().is_type, y_type = y->name().is_type;
  auto is_kind = [&](const DataType *d) {
    return d == builtins.DataType || d == builtins.UnionAll || d == builtins.Union ||
           d == builtins.TypeofBottom;
  };
  if (x_type != y_type && (is_kind(x) || is_kind(y))) {
    TypeRef of = x_type ? x->params()[0] : y->params()[0];
    const DataType *kind = x_type ? y : x;
    if (of->is<TypeVar>()) return true;
    return kind == builtins.DataType   ? of->is<DataType>()
           : kind == builtins.UnionAll ? of->is<UnionAllType>()
           : kind == builtins.Union    ? of->is<UnionType>()
                                       : of->kind() == TypeKind::Bottom;
  }
  // The types can intersect only if one type's name is among the supertypes of the other.
  auto climb = [&](const DataType *from, const DataType *to) -> const DataType * {
    while (&from->name() != &to->name()) {
      TypeRef super = types.super(from);
      if (const auto *w = super->as<UnionAllType>()) {
        std::vector<const TypeVar *> vars;
        types.unwrap_all(w, vars, super);
      }
      const auto *next = super->as<DataType>();
      if (!next || next == from) return nullptr;
      from = next;
    }
    return from;
  };
  if (const DataType *up = climb(x, y))
    x = up;
  else if (const DataType *other = climb(y, x))
    y = other;
  else
    return false;
  auto xp = x->params(), yp = y->params();
  if (x->is_tuple()) {
    const VarargType *xr = !xp.empty() ? xp.back()->as<VarargType>() : nullptr;
    const VarargType *yr = !yp.empty() ? yp.back()->as<VarargType>() : nullptr;
    size_t xf = xp.size() - (xr ? 1 : 0), yf = yp.size() - (yr ? 1 : 0);
    if ((!xr && xf < yf) || (!yr && yf < xf)) return false;
    for (size_t i = 0; i < std::max(xf, yf); i++)
      if (!may_intersect(types, i < xf ? xp[i] : xr->element(), i < yf ? yp[i] : yr->element())) return false;
    return true;
  }
  for (size_t i = 0; i < std::min(xp.size(), yp.size()); i++) {
    TypeRef p = xp[i], q = yp[i];
    if (p == q) continue;
    if (!p->has_free_vars() && !q->has_free_vars()) {
      if (p->is<ConstType>() || q->is<ConstType>() || !equal_types(types, p, q)) return false;
      continue;
    }
    if (p->is<TypeVar>() || q->is<TypeVar>()) {
      const TypeVar *var = p->is<TypeVar>() ? p->as<TypeVar>() : q->as<TypeVar>();
      TypeRef other = var == p ? q : p;
      if (!other->has_free_vars() && !other->is<ConstType>() && !var->upper()->has_free_vars() &&
          !is_subtype(types, other, var->upper()))
        return false;
      continue;
    }
    if (!may_intersect(types, p, q)) return false;
  }
  return true;
}

} // namespace kiln
