// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Smallest common supertype that Julia's typejoin names: the nearest common type name above both, with the
// parameters on which both agree.
#include "types.h"

namespace kiln {

namespace {

/// Returns the supertype of a data type without its where. Any's is Any.
const DataType *super_of(TypeContext &types, const DataType *type) {
  std::vector<const TypeVar *> vars;
  TypeRef super = nullptr;
  types.unwrap_all(types.super(type), vars, super);
  return super->as<DataType>();
}

/// Returns the data type `from` or a supertype of it whose name is `name`. Null: there is none.
const DataType *above(TypeContext &types, const DataType *from, const TypeName &name) {
  while (&from->name() != &name) {
    const auto *next = super_of(types, from);
    if (!next || next == from) return nullptr;
    from = next;
  }
  return from;
}

TypeRef join_tuples(TypeContext &types, const DataType *a, const DataType *b) {
  const auto p = a->params(), q = b->params();
  auto open = [](std::span<const TypeRef> list) {
    return list.empty() ? nullptr : list.back()->as<VarargType>();
  };
  const VarargType *more_p = open(p), *more_q = open(q);
  const size_t fixed_p = p.size() - (more_p != nullptr), fixed_q = q.size() - (more_q != nullptr);
  std::vector<TypeRef> joined;
  for (size_t i = 0; i < std::min(fixed_p, fixed_q); ++i) joined.push_back(join(types, p[i], q[i]));
  if (fixed_p == fixed_q && !more_p && !more_q) return types.tuple(joined);
  TypeRef rest = types.bottom(); // elements that one of the two may lack
  for (size_t i = joined.size(); i < fixed_p; ++i) rest = join(types, rest, p[i]);
  for (size_t i = joined.size(); i < fixed_q; ++i) rest = join(types, rest, q[i]);
  if (more_p) rest = join(types, rest, more_p->element());
  if (more_q) rest = join(types, rest, more_q->element());
  joined.push_back(types.vararg(rest));
  return types.tuple(joined);
}

/// Joins two types of one name: a parameter that differs becomes the name's own variable.
TypeRef join_params(TypeContext &types, const DataType *a, const DataType *b) {
  const TypeName &name = a->name();
  std::vector<TypeRef> params;
  for (size_t i = 0; i < name.params.size(); ++i) {
    const TypeRef x = a->params()[i], y = b->params()[i];
    const bool agree = x == y || (!x->is<ConstType>() && !y->is<ConstType>() && equal_types(types, x, y));
    params.push_back(agree && !x->has_free_vars() ? x : TypeRef(name.params[i]));
  }
  TypeRef joined = types.data(name, params);
  for (size_t i = params.size(); i-- > 0;) joined = types.union_all(name.params[i], joined);
  return joined;
}

} // namespace

TypeRef join(TypeContext &types, TypeRef a, TypeRef b) {
  if (is_subtype(types, b, a)) return a;
  if (is_subtype(types, a, b)) return b;
  for (int turn = 0; turn < 2; ++turn, std::swap(a, b)) {
    if (const auto *var = a->as<TypeVar>()) return join(types, var->upper(), b);
    if (const auto *all = a->as<UnionAllType>())
      return types.union_all(all->var(), join(types, all->body(), b));
    if (const auto *members = a->as<UnionType>()) {
      for (TypeRef member : members->members()) b = join(types, b, member);
      return b;
    }
  }
  const auto *x = a->as<DataType>(), *y = b->as<DataType>();
  if (!x || !y) return types.builtins().Any;
  if (x->is_tuple() && y->is_tuple()) return join_tuples(types, x, y);
  for (const DataType *up = x; up && up != types.builtins().Any; up = super_of(types, up))
    if (const DataType *other = up->is_tuple() ? nullptr : above(types, y, up->name()))
      return join_params(types, up, other);
  return types.builtins().Any;
}

} // namespace kiln
