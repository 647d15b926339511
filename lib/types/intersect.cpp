// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intersection of two types. The intersection is exact if one type's name is among the supertypes of the
// other, and their parameters agree one by one. Otherwise the result is one of the two types, which contains
// all common values.
#include "alpha.h"
#include "types.h"

namespace kiln {

namespace {

enum class Match : uint8_t { No, Yes, Unknown };

/// Unifies the parameters of two types: assigns values to the variables of both.
class Unifier {
public:
  Unifier(TypeContext &types, std::vector<const TypeVar *> vars)
      : types_(types), vars_(std::move(vars)), values_(vars_.size()) {}

  Match unify(TypeRef p, TypeRef q) {
    p = value(p);
    q = value(q);
    if (p == q) return Match::Yes;
    if (const TypeVar *x = own(p)) {
      const TypeVar *y = own(q);
      // If both are variables, keep the one with the narrower bound.
      if (y && !x->upper()->has_free_vars() && !y->upper()->has_free_vars() &&
          !is_subtype(types_, y->upper(), x->upper()))
        return is_subtype(types_, x->upper(), y->upper()) ? bind(y, x) : Match::Unknown;
      return bind(x, q);
    }
    if (const TypeVar *y = own(q)) return bind(y, p);
    if (!p->has_free_vars() && !q->has_free_vars()) {
      if (p->is<ConstType>() || q->is<ConstType>()) return Match::No; // equal constants are one pointer
      return equal_types(types_, p, q) ? Match::Yes : Match::No;
    }
    const auto *x = p->as<DataType>(), *y = q->as<DataType>();
    if (!x || !y) return p->is<ConstType>() != q->is<ConstType>() ? Match::No : Match::Unknown;
    if (&x->name() != &y->name()) return Match::No;
    return unify_all(x->params(), y->params());
  }

  Match unify_all(std::span<const TypeRef> p, std::span<const TypeRef> q) {
    auto is_open = [](std::span<const TypeRef> list) {
      return !list.empty() && list.back()->is<VarargType>();
    };
    if (is_open(p) || is_open(q)) {
      const auto *x = p.size() == q.size() && is_open(p) ? p.back()->as<VarargType>() : nullptr;
      const auto *y = x && is_open(q) ? q.back()->as<VarargType>() : nullptr;
      if (!y || !x->count() || !y->count()) return Match::Unknown;
      Match all = unify_all(p.first(p.size() - 1), q.first(q.size() - 1));
      if (all == Match::Yes) all = unify(x->element(), y->element());
      return all == Match::Yes ? unify(x->count(), y->count()) : all;
    }
    if (p.size() != q.size()) return Match::No;
    Match all = Match::Yes;
    for (size_t i = 0; i < p.size(); ++i) {
      const Match one = unify(p[i], q[i]);
      if (one == Match::No) return one;
      if (one == Match::Unknown) all = one;
    }
    return all;
  }

  /// Returns `type` with variables replaced by their values, and quantified over the remaining variables.
  TypeRef closed(TypeRef type) {
    type = value(type);
    std::vector<const TypeVar *> rest;
    for (size_t i = 0; i < vars_.size(); ++i)
      if (!values_[i]) rest.push_back(vars_[i]);
    while (!rest.empty()) { // innermost first: a variable that no other bound mentions
      auto is_mentioned = [&](const TypeVar *var) {
        return std::ranges::any_of(
            rest, [&](const TypeVar *other) { return other != var && occurs(var, value(other->upper())); });
      };
      size_t at = rest.size() - 1;
      while (at > 0 && is_mentioned(rest[at])) --at;
      const TypeVar *var = rest[at];
      rest.erase(rest.begin() + ptrdiff_t(at));
      if (const TypeRef upper = value(var->upper()); upper != var->upper()) { // a bound of known variables
        const TypeVar *old[] = {var};
        var = types_.new_var(var->name(), var->lower(), upper);
        const TypeRef fresh[] = {var};
        type = types_.substitute(type, old, fresh);
      }
      type = types_.union_all(var, type);
    }
    return type;
  }

private:
  const TypeVar *own(TypeRef type) const {
    const auto *var = type->as<TypeVar>();
    return var && std::ranges::count(vars_, var) ? var : nullptr;
  }

  Match bind(const TypeVar *var, TypeRef to) {
    if (!own(to)) {
      const TypeRef upper = value(var->upper());
      if (to->is<ConstType>()) {
        if (upper != types_.builtins().Any) return Match::No;
      } else if (!upper->has_free_vars() && !to->has_free_vars()) {
        if (!is_subtype(types_, to, upper) || !is_subtype(types_, var->lower(), to)) return Match::No;
      } else if (!may_intersect(types_, to, upper)) {
        return Match::No;
      }
    }
    values_[size_t(std::ranges::find(vars_, var) - vars_.begin())] = to;
    return Match::Yes;
  }

  TypeRef value(TypeRef type) {
    for (size_t round = 0; round <= vars_.size() && type->has_free_vars(); ++round) {
      std::vector<const TypeVar *> vars;
      std::vector<TypeRef> values;
      for (size_t i = 0; i < vars_.size(); ++i)
        if (values_[i]) {
          vars.push_back(vars_[i]);
          values.push_back(values_[i]);
        }
      const TypeRef next = types_.substitute(type, vars, values);
      if (next == type) break;
      type = next;
    }
    return type;
  }

  TypeContext &types_;
  std::vector<const TypeVar *> vars_;
  std::vector<TypeRef> values_;
};

/// Finds the supertype of `from` that has the name of `to`. Null: there is none.
const DataType *climbed(TypeContext &types, const DataType *from, const DataType *to) {
  while (&from->name() != &to->name()) {
    const auto *next = types.super(from)->as<DataType>();
    if (!next || next == from) return nullptr;
    from = next;
  }
  return from;
}

/// Intersects two data types. Returns null if the parameters do not determine the result.
TypeRef intersect_data(TypeContext &types, TypeRef a, TypeRef b) {
  std::vector<const TypeVar *> vars, others;
  TypeRef x = nullptr, y = nullptr;
  types.unwrap_all(a, vars, x);
  types.unwrap_all(b, others, y);
  std::vector<TypeRef> fresh; // new variables for `b`, since both types may use the same ones
  for (const TypeVar *var : others) {
    TypeRef upper = var->upper();
    if (upper->has_free_vars()) upper = types.substitute(upper, std::span(others).first(fresh.size()), fresh);
    vars.push_back(types.new_var(var->name(), var->lower(), upper));
    fresh.push_back(vars.back());
  }
  y = types.substitute(y, others, fresh);
  const auto *p = x->as<DataType>(), *q = y->as<DataType>();
  if (!p || !q || p->name().is_type || q->name().is_type) return nullptr;
  TypeRef lower = p;
  const DataType *up = climbed(types, p, q);
  if (!up) {
    std::swap(p, q);
    lower = p;
    up = climbed(types, p, q);
  }
  if (!up || up->is_tuple()) return nullptr; // tuple parameters are covariant
  Unifier unifier(types, std::move(vars));
  switch (unifier.unify_all(up->params(), q->params())) {
  case Match::No: return types.bottom();
  case Match::Yes: return unifier.closed(lower);
  case Match::Unknown: break;
  }
  return nullptr;
}

} // namespace

TypeRef intersect(TypeContext &types, TypeRef a, TypeRef b) {
  if (!a || !b) return nullptr;
  if (is_subtype(types, a, b)) return a;
  if (is_subtype(types, b, a)) return b;
  if (!may_intersect(types, a, b)) return types.bottom();
  auto distribute = [&](const UnionType *u, TypeRef other) {
    std::vector<TypeRef> parts;
    for (TypeRef m : u->members()) parts.push_back(intersect(types, m, other));
    return types.union_of(parts);
  };
  if (const auto *u = a->as<UnionType>()) return distribute(u, b);
  if (const auto *u = b->as<UnionType>()) return distribute(u, a);
  const auto *x = a->as<DataType>(), *y = b->as<DataType>();
  if (x && y && x->is_tuple() && y->is_tuple() && x->params().size() == y->params().size()) {
    std::vector<TypeRef> elements;
    for (size_t i = 0; i < x->params().size(); i++) {
      TypeRef p = x->params()[i], q = y->params()[i];
      if (p->is<VarargType>() || q->is<VarargType>()) return a;
      elements.push_back(intersect(types, p, q));
      if (elements.back()->kind() == TypeKind::Bottom) return types.bottom();
    }
    return types.tuple(elements);
  }
  if (!a->has_free_vars() && !b->has_free_vars())
    if (TypeRef both = intersect_data(types, a, b)) return both;
  return a; // contains all common values
}

} // namespace kiln
