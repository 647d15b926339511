// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "alpha.h"

#include "context_state.h"

namespace kiln {

uint64_t alpha_hash(TypeRef type, Binders &bound, bool by_identity) {
  if (!type->has_free_vars()) return type->hash();
  if (const auto *var = type->as<TypeVar>()) {
    for (size_t i = bound.size(); i-- > 0;)
      if (bound[i] == var) return mix(77, i);
    return by_identity ? uint64_t(reinterpret_cast<uintptr_t>(var)) : var->hash();
  }
  if (const auto *data = type->as<DataType>()) {
    uint64_t h = hash_text(data->name().name.text());
    for (TypeRef p : data->params()) h = mix(h, alpha_hash(p, bound, by_identity));
    return h;
  }
  if (const auto *u = type->as<UnionType>()) {
    uint64_t h = 3; // sum over members: their order may depend on variable names
    for (TypeRef m : u->members()) h += alpha_hash(m, bound, by_identity);
    return mix(h, 5);
  }
  if (const auto *v = type->as<VarargType>())
    return mix(mix(11, alpha_hash(v->element(), bound, by_identity)),
               v->count() ? alpha_hash(v->count(), bound, by_identity) : 0);
  if (const auto *all = type->as<UnionAllType>()) {
    uint64_t h = mix(alpha_hash(all->var()->lower(), bound, by_identity),
                     alpha_hash(all->var()->upper(), bound, by_identity));
    bound.push_back(all->var());
    h = mix(h, alpha_hash(all->body(), bound, by_identity));
    bound.pop_back();
    return mix(h, 13);
  }
  return type->hash();
}

bool alpha_equal(TypeRef a, TypeRef b, Binders &va, Binders &vb) {
  if (a == b && !a->has_free_vars()) return true;
  if (a->kind() != b->kind()) return false;
  switch (a->kind()) {
  case TypeKind::Var: {
    for (size_t i = va.size(); i-- > 0;) {
      bool x = va[i] == a, y = vb[i] == b;
      if (x || y) return x && y;
    }
    return a == b;
  }
  case TypeKind::Data: {
    const auto *x = a->as<DataType>(), *y = b->as<DataType>();
    if (&x->name() != &y->name() || x->params().size() != y->params().size()) return false;
    for (size_t i = 0; i < x->params().size(); i++)
      if (!alpha_equal(x->params()[i], y->params()[i], va, vb)) return false;
    return true;
  }
  case TypeKind::Union: {
    auto x = a->as<UnionType>()->members(), y = b->as<UnionType>()->members();
    if (x.size() != y.size()) return false;
    for (TypeRef m : x) {
      bool found = false;
      for (TypeRef n : y) found |= alpha_equal(m, n, va, vb);
      if (!found) return false;
    }
    return true;
  }
  case TypeKind::Vararg: {
    const auto *x = a->as<VarargType>(), *y = b->as<VarargType>();
    if (!x->count() != !y->count() || !alpha_equal(x->element(), y->element(), va, vb)) return false;
    return !x->count() || alpha_equal(x->count(), y->count(), va, vb);
  }
  case TypeKind::UnionAll: {
    const auto *x = a->as<UnionAllType>(), *y = b->as<UnionAllType>();
    if (!alpha_equal(x->var()->lower(), y->var()->lower(), va, vb) ||
        !alpha_equal(x->var()->upper(), y->var()->upper(), va, vb))
      return false;
    va.push_back(x->var());
    vb.push_back(y->var());
    bool equal = alpha_equal(x->body(), y->body(), va, vb);
    va.pop_back();
    vb.pop_back();
    return equal;
  }
  default: return a == b;
  }
}

bool occurs(const TypeVar *var, TypeRef type) {
  if (!type->has_free_vars()) return false;
  if (type == var) return true;
  if (const auto *inner = type->as<TypeVar>())
    return occurs(var, inner->lower()) || occurs(var, inner->upper());
  if (const auto *data = type->as<DataType>())
    return std::any_of(data->params().begin(), data->params().end(),
                       [&](TypeRef p) { return occurs(var, p); });
  if (const auto *u = type->as<UnionType>())
    return std::any_of(u->members().begin(), u->members().end(), [&](TypeRef p) { return occurs(var, p); });
  if (const auto *v = type->as<VarargType>())
    return occurs(var, v->element()) || (v->count() && occurs(var, v->count()));
  if (const auto *all = type->as<UnionAllType>())
    return occurs(var, all->var()->lower()) || occurs(var, all->var()->upper()) || occurs(var, all->body());
  return false;
}

bool has_free_beyond(TypeRef type, Binders &bound) {
  if (!type->has_free_vars()) return false;
  if (const auto *var = type->as<TypeVar>()) return !bound.contains(var);
  if (const auto *data = type->as<DataType>())
    return std::any_of(data->params().begin(), data->params().end(),
                       [&](TypeRef p) { return has_free_beyond(p, bound); });
  if (const auto *u = type->as<UnionType>())
    return std::any_of(u->members().begin(), u->members().end(),
                       [&](TypeRef p) { return has_free_beyond(p, bound); });
  if (const auto *v = type->as<VarargType>())
    return has_free_beyond(v->element(), bound) || (v->count() && has_free_beyond(v->count(), bound));
  if (const auto *all = type->as<UnionAllType>()) {
    if (has_free_beyond(all->var()->lower(), bound) || has_free_beyond(all->var()->upper(), bound))
      return true;
    bound.push_back(all->var());
    bool free = has_free_beyond(all->body(), bound);
    bound.pop_back();
    return free;
  }
  return false;
}

} // namespace kiln
