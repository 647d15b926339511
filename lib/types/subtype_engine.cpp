// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "subtype_engine.h"
#include "alpha.h"

namespace kiln::subtyping {

namespace {

constexpr int max_depth = 400; // limit of recursion; deeper queries return false

bool occurs_invariantly(TypeRef type, const TypeVar *var, bool inside) {
  if (!type->has_free_vars()) return false;
  if (type == var) return inside;
  if (const auto *data = type->as<DataType>()) {
    for (TypeRef p : data->params())
      if (occurs_invariantly(p, var, inside || !data->is_tuple())) return true;
    return false;
  }
  if (const auto *u = type->as<UnionType>()) {
    for (TypeRef m : u->members())
      if (occurs_invariantly(m, var, inside)) return true;
    return false;
  }
  if (const auto *v = type->as<VarargType>())
    return occurs_invariantly(v->element(), var, inside) ||
           (v->count() && occurs_invariantly(v->count(), var, true));
  if (const auto *all = type->as<UnionAllType>()) {
    if (all->var() == var) return false;
    return occurs_invariantly(all->var()->lower(), var, inside) ||
           occurs_invariantly(all->var()->upper(), var, inside) ||
           occurs_invariantly(all->body(), var, inside);
  }
  return false;
}

bool is_value(TypeRef t) { return t->is<ConstType>(); }

/// True if the type contains a union that subtyping may split: directly, in a tuple, or in the bound of a
/// variable.
bool has_union(TypeRef type) {
  if (type->is<UnionType>() || type->is<UnionAllType>()) return true;
  if (const auto *rest = type->as<VarargType>()) return has_union(rest->element());
  const auto *data = type->as<DataType>();
  return data && std::ranges::any_of(data->params(), has_union);
}

} // namespace

bool Decisions::pick() {
  if (depth >= used) {
    if (taken.size() <= used) taken.resize(used + 1);
    taken[used++] = false;
  }
  bool choice = taken[depth++];
  if (!choice) more = depth;
  return choice;
}

bool Decisions::next() {
  if (more == 0) return false;
  used = more;
  taken[more - 1] = true;
  return true;
}

Binding *Engine::find(const TypeVar *var) {
  for (size_t i = env_.size(); i-- > 0;)
    if (env_[i].var == var) return &env_[i];
  return nullptr;
}

void Engine::record(Binding *b, Position position) {
  if (!b || position == Position::None) return;
  if (position == Position::Invariant && invariant_depth_ > b->depth)
    b->invariant = std::min(b->invariant + 1, 2);
  else
    b->covariant = std::min(b->covariant + 1, 2);
}

TypeRef Engine::pick_member(const UnionType *type, Decisions &decisions) {
  auto members = type->members();
  for (size_t i = 0; i + 1 < members.size(); i++)
    if (!decisions.pick()) return members[i];
  return members.back();
}

bool Engine::run(TypeRef x, TypeRef y) { return forall_exists(x, y, Position::None); }

bool Engine::run_body(TypeRef x, TypeRef body) {
  body_ = body;
  return forall_exists(x, body, Position::None);
}

bool Engine::forall_exists(TypeRef x, TypeRef y, Position position) {
  left_ = {};
  for (;;) {
    if (!exists(x, y, position)) return false;
    if (!left_.next()) return true;
  }
}

bool Engine::exists(TypeRef x, TypeRef y, Position position) {
  right_ = {};
  std::vector<Binding> saved = env_;
  for (;;) {
    left_.rewind();
    right_.rewind();
    if (subtype(x, y, position) && (!body_ || diagonal_holds(body_))) return true;
    if (!right_.next()) return false;
    env_ = saved;
  }
}

bool Engine::check(TypeRef x, TypeRef y) {
  if (x == y || x->kind() == TypeKind::Bottom || y == types_.builtins().Any)
    return !is_value(x) || x == y || y == types_.builtins().Any;
  Decisions outer = std::move(left_);
  left_ = {};
  bool holds = true;
  for (;;) {
    left_.rewind();
    holds = subtype(x, y, Position::None);
    if (!holds || !left_.next()) break;
  }
  left_ = std::move(outer);
  return holds;
}

bool Engine::equal(TypeRef x, TypeRef y) {
  if (x == y && !x->has_free_vars()) return true;
  if (is_value(x) && is_value(y)) return x == y;
  if ((is_value(x) && !y->is<TypeVar>()) || (is_value(y) && !x->is<TypeVar>())) return false;
  // Data types without free variables and with different names are unequal: skip the search.
  if (!x->has_free_vars() && !y->has_free_vars()) {
    const auto *a = x->as<DataType>(), *b = y->as<DataType>();
    if (a && b && &a->name() != &b->name()) return false;
  }
  Decisions outer = std::move(left_);
  left_ = {};
  bool holds = true;
  for (;;) {
    left_.rewind();
    holds = subtype(x, y, Position::Invariant);
    if (!holds || !left_.next()) break;
  }
  if (holds) {
    left_ = {};
    for (;;) {
      left_.rewind();
      holds = subtype(y, x, Position::None);
      if (!holds || !left_.next()) break;
    }
  }
  left_ = std::move(outer);
  return holds;
}

TypeRef Engine::simple_join(TypeRef a, TypeRef b) {
  if (a->kind() == TypeKind::Bottom || a == b) return b;
  if (b->kind() == TypeKind::Bottom) return a;
  if (is_value(a) || is_value(b)) return types_.builtins().Any;
  if (!a->has_free_vars() && !b->has_free_vars()) return types_.union_of({a, b});
  return types_.union_of({a, b});
}

TypeRef Engine::simple_meet(TypeRef a, TypeRef b) {
  if (a == types_.builtins().Any || a == b) return b;
  if (b == types_.builtins().Any) return a;
  if (is_value(a) || is_value(b)) return b;
  if (!a->has_free_vars() && !b->has_free_vars() && Engine(types_).run(a, b)) return a;
  return b;
}

bool Engine::var_below(const TypeVar *var, TypeRef y, Position position) {
  Binding *b = find(var);
  if (!b) return subtype(var->upper(), y, Position::None);
  record(b, position);
  if (!b->right) return subtype(b->upper, y, Position::None);
  if (b->upper == y && is_value(y)) return true;
  size_t index = size_t(b - env_.data());
  bool lower_fits = (b->lower->kind() == TypeKind::Bottom && is_value(y)) || check(b->lower, y);
  if (!lower_fits) return false;
  b = &env_[index];
  b->upper = simple_meet(b->upper, y);
  return true;
}

bool Engine::var_above(const TypeVar *var, TypeRef x, Position position) {
  Binding *b = find(var);
  if (!b) return subtype(x, var->lower(), Position::None);
  record(b, position);
  if (!b->right) return check(x, b->lower);
  if (b->lower == x && is_value(x)) return true;
  size_t index = size_t(b - env_.data());
  bool fits = (b->upper == types_.builtins().Any && is_value(x)) || check(x, b->upper);
  if (!fits) return false;
  b = &env_[index];
  if (is_value(x) && b->lower->kind() != TypeKind::Bottom && b->lower != x) return false;
  b->lower = simple_join(b->lower, x);
  // One value of an outer variable cannot equal all values of a variable bound inside the same invariant
  // parameter: Box{Box{T} where T} is neither Box{Box{T}} nor Box{T}.
  if (!x->has_free_vars() || (position != Position::Invariant && !x->is<TypeVar>())) return true;
  for (size_t k = index + 1; k < env_.size(); ++k)
    if (const Binding &a = env_[k]; !a.right && a.depth != env_[index].depth && occurs(a.var, x)) {
      const TypeRef upper = a.upper, lower = a.lower;
      if (!check(upper, lower)) return false;
    }
  return true;
}

bool Engine::decide_alone(TypeRef x, TypeRef y) {
  Engine inner(types_);
  inner.depth_ = depth_;
  inner.alone_ = {x, y};
  return inner.run(x, y);
}

/// True if y is a union that has each member of x.
static bool is_part_of(const UnionType &x, TypeRef y) {
  const auto *whole = y->as<UnionType>();
  const auto has = [&](TypeRef m) { return std::ranges::count(whole->members(), m) != 0; };
  return whole && !x.has_free_vars() && std::ranges::all_of(x.members(), has);
}

bool Engine::subtype(TypeRef x, TypeRef y, Position position) {
  if (x == y && !x->has_free_vars()) return true;
  if (depth_ > max_depth) return false;
  struct Deeper {
    int &depth;
    explicit Deeper(int &d) : depth(d) { ++depth; }
    ~Deeper() { --depth; }
  } deeper(depth_);

  // Decide unions without free variables separately. The cost of several unions is then the sum of their
  // members, and not the product. This is not valid for a union on the left after a choice on the right,
  // since each member may need another choice.
  const bool is_alone = !x->has_free_vars() && !y->has_free_vars() &&
                        alone_ != std::pair<TypeRef, TypeRef>(x, y) && (right_.depth == 0 || !has_union(x));
  if (const auto *u = x->as<UnionType>()) {
    if (x == y || is_part_of(*u, y)) return true;
    if (is_alone) return decide_alone(x, y);
    x = pick_member(u, left_);
    return subtype(x, y, position);
  }
  if (const auto *u = y->as<UnionType>()) {
    bool has_subtypes = false; // some member of the union may have subtypes
    for (TypeRef m : u->members()) {
      if (m == x && !x->has_free_vars()) return true;
      const auto *data = m->as<DataType>();
      has_subtypes |= !data || !data->name().primitive_bits;
    }
    if (!has_subtypes && x->is<DataType>()) return false;
    if (const auto *where = x->as<UnionAllType>()) return subtype_where(y, where, false, position);
    if (is_alone) return decide_alone(x, y);
    bool split = true;
    if (const auto *var = x->as<TypeVar>()) {
      // For T <: Union: first compare the variable with the whole union, then with its members.
      Binding *b = find(var);
      split = ((b && b->right) || y->has_free_vars()) && right_.pick();
    }
    if (split) return subtype(x, pick_member(u, right_), position);
  }
  if (const auto *xv = x->as<TypeVar>()) {
    if (const auto *yv = y->as<TypeVar>()) {
      if (xv == yv) return true;
      Binding *xb = find(xv), *yb = find(yv);
      bool xr = xb && xb->right, yr = yb && yb->right;
      if (xr) {
        record(yb, position);
        if (yr) {
          record(xb, position);
          return subtype(xb->lower, yb->upper, Position::None);
        }
        return var_below(xv, y, position);
      }
      if (yr) {
        record(xb, position);
        return var_above(yv, x, position);
      }
      record(xb, position);
      record(yb, position);
      TypeRef upper = xb ? xb->upper : xv->upper(), lower = yb ? yb->lower : yv->lower();
      return subtype(upper, y, Position::None) ||
             (lower->kind() != TypeKind::Bottom && subtype(x, lower, Position::None));
    }
    return var_below(xv, y, position);
  }
  if (const auto *yv = y->as<TypeVar>()) return var_above(yv, x, position);
  if (const auto *where = x->as<UnionAllType>()) return x == y || subtype_where(y, where, false, position);
  if (const auto *where = y->as<UnionAllType>()) return subtype_where(x, where, true, position);
  if (x->kind() == TypeKind::Bottom) return true;
  if (y == types_.builtins().Any) return !x->is<VarargType>(); // excludes values: Tuple{2} <: Tuple
  if (const auto *xd = x->as<DataType>())
    if (const auto *yd = y->as<DataType>()) return subtype_data(xd, yd, position);
  return false;
}

bool Engine::subtype_data(const DataType *x, const DataType *y, Position) {
  const auto &b = types_.builtins();
  bool x_is_type = x->name().is_type, y_is_type = y->name().is_type;
  if (x_is_type && !y_is_type) {
    // x is Type{T}, and y is DataType, UnionAll or Union.
    TypeRef of = x->params()[0];
    if (of->is<TypeVar>()) return false;
    if (y == b.DataType) return of->is<DataType>();
    if (y == b.UnionAll) return of->is<UnionAllType>();
    if (y == b.Union) return of->is<UnionType>();
    if (y == b.TypeofBottom) return of->kind() == TypeKind::Bottom;
    return false;
  }
  if (y_is_type && !x_is_type) {
    // DataType, UnionAll and Union contain types with any parameter: each is a subtype of Type{T} only if T
    // is free.
    bool kind = x == b.DataType || x == b.UnionAll || x == b.Union || x == b.TypeofBottom;
    const auto *var = y->params()[0]->as<TypeVar>();
    if (!kind || !var) return false;
    Binding *binding = find(var);
    return binding && binding->right && binding->lower->kind() == TypeKind::Bottom && binding->upper == b.Any;
  }
  // Find the supertype of x that has y's name.
  while (&x->name() != &y->name()) {
    if (x == b.Any) return false;
    TypeRef super = types_.super(x);
    if (const auto *where = super->as<UnionAllType>()) return subtype(where, y, Position::None);
    const auto *next = super->as<DataType>();
    if (!next || next == x) return false;
    x = next;
  }
  if (x == y && !x->has_free_vars()) return true;
  if (x->is_tuple()) return subtype_tuple(x, y);
  if (x->params().size() != y->params().size()) return false;
  for (size_t i = 0; i < x->params().size(); i++) {
    invariant_depth_++;
    bool same = equal(x->params()[i], y->params()[i]);
    invariant_depth_--;
    if (!same) return false;
  }
  return true;
}

// True for leaves: types with direct instances, and values.
bool Engine::is_leaf(TypeRef bound) {
  if (bound->kind() == TypeKind::Bottom || is_value(bound)) return true;
  const auto *data = bound->as<DataType>();
  if (!data) return false;
  if (data->name().is_type) return !data->has_free_vars() || data->params()[0]->is<TypeVar>() == false;
  return types_.is_concrete(bound);
}

bool Engine::diagonal(Binding &b, TypeRef body) {
  bool diagonal = b.covariant > 1 && !occurs_invariantly(body, b.var, false);
  if (!b.concrete && !(diagonal && is_leaf(b.var->lower()))) return true;
  if (b.concrete && !diagonal && !b.right && !is_leaf(b.upper)) return false;
  if (!b.right) return true;
  if (const auto *lower = b.lower->as<TypeVar>()) {
    if (Binding *other = find(lower)) other->concrete = true;
    return true;
  }
  return is_leaf(b.lower);
}

bool Engine::diagonal_holds(TypeRef body) {
  for (size_t i = env_.size(); i-- > 0;) // inner variables first: they can make an outer variable concrete
    if (!diagonal(env_[i], body)) return false;
  return true;
}

bool Engine::subtype_where(TypeRef other, const UnionAllType *where, bool right, Position position) {
  const TypeVar *var = where->var();
  TypeRef body = where->body();
  if (find(var)) { // the where-type is nested in itself: rename its variable
    const TypeVar *fresh = types_.renamed(var);
    while (find(fresh)) fresh = types_.renamed(fresh);
    TypeRef replacement[] = {fresh};
    const TypeVar *vars[] = {var};
    body = types_.substitute(body, vars, replacement);
    var = fresh;
  }
  size_t index = env_.size();
  env_.push_back({var, var->lower(), var->upper(), right});
  env_.back().depth = invariant_depth_;
  bool holds = right ? subtype(other, body, position) : subtype(body, other, position);
  if (holds) holds = diagonal(env_[index], body);
  Binding done = env_[index];
  env_.resize(index);
  // The variable's scope ends: remove it from the bounds of other variables, by widening these bounds.
  for (Binding &b : env_) {
    if (b.lower == var)
      b.lower = right ? done.lower : done.upper;
    else if (b.lower->has_free_vars())
      b.lower = types_.union_all(var, b.lower);
    if (b.upper == var)
      b.upper = right ? done.upper : done.lower;
    else if (b.upper->has_free_vars())
      b.upper = types_.union_all(var, b.upper);
  }
  return holds;
}

} // namespace kiln::subtyping
