// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making types: interning, application, substitution, unions.
#include "context_state.h"
#include "print.h"
#include "subtype.h"

#include <cassert>

namespace kiln {

namespace {

/// The variables of enclosing where-types, outermost first. Rarely more than a few: those need no allocation.
class Binders {
public:
  void push_back(const TypeVar *var) {
    if (size_ < inline_size)
      few_[size_] = var;
    else
      more_.push_back(var);
    ++size_;
  }
  void pop_back() {
    if (size_ > inline_size) more_.pop_back();
    --size_;
  }
  void clear() {
    more_.clear();
    size_ = 0;
  }
  size_t size() const { return size_; }
  const TypeVar *operator[](size_t i) const { return i < inline_size ? few_[i] : more_[i - inline_size]; }
  bool contains(TypeRef var) const {
    for (size_t i = 0; i < size_; i++)
      if ((*this)[i] == var) return true;
    return false;
  }

private:
  static constexpr size_t inline_size = 6;
  const TypeVar *few_[inline_size];
  size_t size_ = 0;
  std::vector<const TypeVar *> more_;
};

// Structural hash in which bound variables count by position, so that renaming changes nothing.
uint64_t alpha_hash(TypeRef type, Binders &bound) {
  if (!type->has_free_vars()) return type->hash();
  if (const auto *var = type->as<TypeVar>()) {
    for (size_t i = bound.size(); i-- > 0;)
      if (bound[i] == var) return mix(77, i);
    return var->hash();
  }
  if (const auto *data = type->as<DataType>()) {
    uint64_t h = hash_text(data->name().name.text());
    for (TypeRef p : data->params()) h = mix(h, alpha_hash(p, bound));
    return h;
  }
  if (const auto *u = type->as<UnionType>()) {
    uint64_t h = 3; // order of members may follow variable names: combine without order
    for (TypeRef m : u->members()) h += alpha_hash(m, bound);
    return mix(h, 5);
  }
  if (const auto *v = type->as<VarargType>())
    return mix(mix(11, alpha_hash(v->element(), bound)), v->count() ? alpha_hash(v->count(), bound) : 0);
  if (const auto *all = type->as<UnionAllType>()) {
    uint64_t h = mix(alpha_hash(all->var()->lower(), bound), alpha_hash(all->var()->upper(), bound));
    bound.push_back(all->var());
    h = mix(h, alpha_hash(all->body(), bound));
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
    if (!alpha_equal(x->var()->lower(), y->var()->lower(), va, vb) || !alpha_equal(x->var()->upper(), y->var()->upper(), va, vb)) return false;
    va.push_back(x->var());
    vb.push_back(y->var());
    bool equal = alpha_equal(x->body(), y->body(), va, vb);
    va.pop_back();
    vb.pop_back();
    return equal;
  }
  default:
    return a == b;
  }
}

bool occurs(const TypeVar *var, TypeRef type) {
  if (!type->has_free_vars()) return false;
  if (type == var) return true;
  if (const auto *inner = type->as<TypeVar>()) return occurs(var, inner->lower()) || occurs(var, inner->upper());
  if (const auto *data = type->as<DataType>())
    return std::any_of(data->params().begin(), data->params().end(), [&](TypeRef p) { return occurs(var, p); });
  if (const auto *u = type->as<UnionType>())
    return std::any_of(u->members().begin(), u->members().end(), [&](TypeRef p) { return occurs(var, p); });
  if (const auto *v = type->as<VarargType>()) return occurs(var, v->element()) || (v->count() && occurs(var, v->count()));
  if (const auto *all = type->as<UnionAllType>())
    return occurs(var, all->var()->lower()) || occurs(var, all->var()->upper()) || occurs(var, all->body());
  return false;
}

// Whether a variable outside `bound` occurs: decides has_free_vars of a where-type.
bool has_free_beyond(TypeRef type, Binders &bound) {
  if (!type->has_free_vars()) return false;
  if (const auto *var = type->as<TypeVar>()) return !bound.contains(var);
  if (const auto *data = type->as<DataType>())
    return std::any_of(data->params().begin(), data->params().end(), [&](TypeRef p) { return has_free_beyond(p, bound); });
  if (const auto *u = type->as<UnionType>())
    return std::any_of(u->members().begin(), u->members().end(), [&](TypeRef p) { return has_free_beyond(p, bound); });
  if (const auto *v = type->as<VarargType>()) return has_free_beyond(v->element(), bound) || (v->count() && has_free_beyond(v->count(), bound));
  if (const auto *all = type->as<UnionAllType>()) {
    if (has_free_beyond(all->var()->lower(), bound) || has_free_beyond(all->var()->upper(), bound)) return true;
    bound.push_back(all->var());
    bool free = has_free_beyond(all->body(), bound);
    bound.pop_back();
    return free;
  }
  return false;
}

} // namespace

ConstType::ConstType(std::unique_ptr<const Value> value, uint64_t hash) : Type(Kind, false, hash), value_(std::move(value)) {}
ConstType::~ConstType() = default;

template <class Same, class Make> TypeRef TypeContext::intern(uint64_t hash, Same same, Make make) {
  State::Shard &shard = state_->shards[hash % State::shard_count];
  std::lock_guard lock(shard.mutex);
  auto [begin, end] = shard.types.equal_range(hash);
  for (auto it = begin; it != end; ++it)
    if (same(it->second)) return it->second;
  TypeRef made = make();
  shard.types.emplace(hash, made);
  return made;
}

TypeContext::TypeContext() : state_(std::make_unique<State>()) {
  bottom_ = state_->own(new BottomType());
  make_builtins();
}
TypeContext::~TypeContext() = default;

TypeRef TypeContext::data(const TypeName &name, std::span<const TypeRef> params) {
  if (name.is_tuple) return tuple(params);
  uint64_t hash = mix(hash_text(name.name.text()), hash_text(name.module));
  bool free = false;
  for (TypeRef p : params) {
    hash = mix(hash, p->hash());
    free |= p->has_free_vars();
  }
  return intern(
      hash,
      [&](TypeRef t) {
        const auto *d = t->as<DataType>();
        return d && &d->name() == &name && std::equal(d->params().begin(), d->params().end(), params.begin(), params.end());
      },
      [&] { return state_->own(new DataType(&name, {params.begin(), params.end()}, free, hash)); });
}

TypeRef TypeContext::tuple(std::span<const TypeRef> elements) {
  std::vector<TypeRef> flat;
  if (!elements.empty())
    if (const auto *rest = elements.back()->as<VarargType>())
      if (const auto *count = rest->count() ? rest->count()->as<ConstType>() : nullptr) {
        // Vararg{T, 3} is T, T, T.
        flat.assign(elements.begin(), elements.end() - 1);
        int64_t n = count->value().is_primitive() ? int64_t(count->value().low_bits()) : 0;
        for (int64_t i = 0; i < std::clamp<int64_t>(n, 0, 65536); i++) flat.push_back(rest->element());
        elements = flat;
      }
  const TypeName &name = *builtins_.TupleName;
  uint64_t hash = hash_text("Tuple");
  bool free = false;
  for (TypeRef p : elements) {
    hash = mix(hash, p->hash());
    free |= p->has_free_vars();
  }
  return intern(
      hash,
      [&](TypeRef t) {
        const auto *d = t->as<DataType>();
        return d && &d->name() == &name && std::equal(d->params().begin(), d->params().end(), elements.begin(), elements.end());
      },
      [&] { return state_->own(new DataType(&name, {elements.begin(), elements.end()}, free, hash)); });
}

TypeRef TypeContext::named_tuple(std::span<const Symbol> names, std::span<const TypeRef> elements) {
  std::vector<Value> symbols;
  std::vector<TypeRef> symbol_types(names.size(), builtins_.Symbol);
  for (Symbol name : names) symbols.push_back(Value::symbol(*this, name));
  TypeRef names_type = tuple(symbol_types);
  TypeRef params[] = {constant(names.empty() ? Value::singleton(names_type) : Value::structure(names_type, std::move(symbols))), tuple(elements)};
  return data(*builtins_.NamedTupleName, params);
}

TypeRef TypeContext::constant(const Value &value) {
  uint64_t hash = mix(value.hash(), 17);
  return intern(
      hash, [&](TypeRef t) { return t->is<ConstType>() && egal(t->as<ConstType>()->value(), value); },
      [&] { return state_->own(new ConstType(std::make_unique<const Value>(value), hash)); });
}
TypeRef TypeContext::constant(int64_t value) { return constant(int64(value)); }

TypeRef TypeContext::type_of_type(TypeRef type) { return data(*builtins_.TypeTypeName, {&type, 1}); }

TypeRef TypeContext::vararg(TypeRef element, TypeRef count) {
  uint64_t hash = mix(mix(19, element->hash()), count ? count->hash() : 0);
  return intern(
      hash,
      [&](TypeRef t) {
        const auto *v = t->as<VarargType>();
        return v && v->element() == element && v->count() == count;
      },
      [&] { return state_->own(new VarargType(element, count, element->has_free_vars() || (count && count->has_free_vars()), hash)); });
}

const TypeVar *TypeContext::new_var(Symbol name, TypeRef lower, TypeRef upper) {
  uint64_t hash = mix(mix(hash_text(name.text()), lower->hash()), upper->hash());
  return state_->own(new TypeVar(name, lower, upper, hash));
}

TypeRef TypeContext::union_all(const TypeVar *var, TypeRef body) {
  if (!occurs(var, body)) return body;
  Binders bound;
  uint64_t hash = mix(alpha_hash(var->lower(), bound), alpha_hash(var->upper(), bound));
  bound.push_back(var);
  hash = mix(mix(hash, alpha_hash(body, bound)), 13);
  bound.clear();
  bool free = has_free_beyond(var->lower(), bound) || has_free_beyond(var->upper(), bound);
  bound.push_back(var);
  free |= has_free_beyond(body, bound);
  const UnionAllType candidate(var, body, free, hash);
  return intern(
      hash,
      [&](TypeRef t) {
        Binders va, vb;
        return t->is<UnionAllType>() && alpha_equal(t, &candidate, va, vb);
      },
      [&] { return state_->own(new UnionAllType(candidate)); });
}

TypeRef TypeContext::union_of(std::span<const TypeRef> given) {
  std::vector<TypeRef> members;
  auto add = [&](auto &self, TypeRef t) -> void {
    if (const auto *u = t->as<UnionType>()) {
      for (TypeRef m : u->members()) self(self, m);
    } else if (t != bottom_ && std::find(members.begin(), members.end(), t) == members.end()) {
      members.push_back(t);
    }
  };
  for (TypeRef t : given) add(add, t);
  if (members.empty()) return bottom_;
  if (members.size() == 1) return members[0];
  if (std::find(members.begin(), members.end(), builtins_.Any) != members.end()) return builtins_.Any;
  // Drop what another member covers. Two different concrete types cover nothing of each other.
  std::vector<TypeRef> kept;
  for (size_t i = 0; i < members.size(); i++) {
    bool covered = false;
    for (size_t j = 0; j < members.size() && !covered; j++) {
      if (i == j || members[i]->has_free_vars() || members[j]->has_free_vars()) continue;
      if (is_concrete(members[i]) && is_concrete(members[j]) && !type_parameter(members[i]) && !type_parameter(members[j])) continue;
      covered = is_subtype(*this, members[i], members[j]) && (j < i || !is_subtype(*this, members[j], members[i]));
    }
    if (!covered) kept.push_back(members[i]);
  }
  if (kept.size() == 1) return kept[0];
  // Singletons first, as Julia prints Union{Nothing, Int64}; then by name.
  auto rank = [&](TypeRef t) { return is_singleton(t) ? 0 : is_isbits(t) ? 1 : 2; };
  auto text = [](TypeRef t) { const auto *d = t->as<DataType>(); return d ? d->name().name.text() : std::string_view(); };
  std::stable_sort(kept.begin(), kept.end(), [&](TypeRef a, TypeRef b) {
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    if (text(a) != text(b)) return text(a) < text(b);
    return a->hash() < b->hash();
  });
  uint64_t hash = 23;
  bool free = false;
  for (TypeRef t : kept) {
    hash = mix(hash, t->hash());
    free |= t->has_free_vars();
  }
  return intern(
      hash,
      [&](TypeRef t) {
        const auto *u = t->as<UnionType>();
        return u && std::equal(u->members().begin(), u->members().end(), kept.begin(), kept.end());
      },
      [&] { return state_->own(new UnionType(kept, free, hash)); });
}

TypeRef TypeContext::substitute(TypeRef type, std::span<const TypeVar *const> vars, std::span<const TypeRef> values) {
  if (!type->has_free_vars() || vars.empty()) return type;
  auto each = [&](TypeRef t) { return substitute(t, vars, values); };
  switch (type->kind()) {
  case TypeKind::Var: {
    for (size_t i = 0; i < vars.size(); i++)
      if (vars[i] == type) return values[i];
    return type;
  }
  case TypeKind::Data: {
    const auto *data_type = type->as<DataType>();
    std::vector<TypeRef> params;
    for (TypeRef p : data_type->params()) params.push_back(each(p));
    return data(data_type->name(), params);
  }
  case TypeKind::Union: {
    std::vector<TypeRef> members;
    for (TypeRef m : type->as<UnionType>()->members()) members.push_back(each(m));
    return union_of(members);
  }
  case TypeKind::Vararg: {
    const auto *v = type->as<VarargType>();
    return vararg(each(v->element()), v->count() ? each(v->count()) : nullptr);
  }
  case TypeKind::UnionAll: {
    const auto *all = type->as<UnionAllType>();
    TypeRef lower = each(all->var()->lower()), upper = each(all->var()->upper());
    if (lower == all->var()->lower() && upper == all->var()->upper()) return union_all(all->var(), each(all->body()));
    const TypeVar *fresh = new_var(all->var()->name(), lower, upper);
    const TypeVar *old[] = {all->var()};
    TypeRef replacement[] = {fresh};
    return union_all(fresh, each(substitute(all->body(), old, replacement)));
  }
  default:
    return type;
  }
}

Result<TypeRef> TypeContext::apply(TypeRef type, std::span<const TypeRef> params) {
  auto wrong = [&](std::string why) { return input_error("TypeError", fmt::format("in type application {}{{...}}: {}", to_string(type), why)); };
  if (type == builtins_.Union) return union_of(params);
  if (type == builtins_.Tuple) {
    for (size_t i = 0; i + 1 < params.size(); i++)
      if (params[i]->is<VarargType>()) return wrong("Vararg must be the last parameter");
    return tuple(params);
  }
  if (const auto *v = type->as<VarargType>()) {
    if (params.empty() || params.size() > 2 || v->count()) return wrong("Vararg takes a type and a count");
    return vararg(params[0], params.size() == 2 ? params[1] : nullptr);
  }
  TypeRef result = type;
  for (TypeRef param : params) {
    const auto *all = result->as<UnionAllType>();
    if (!all) return wrong("too many parameters");
    const TypeVar *var = all->var();
    bool bounded = var->upper() != builtins_.Any || var->lower() != bottom_;
    if (bounded && !param->has_free_vars() && !var->upper()->has_free_vars() && !var->lower()->has_free_vars()) {
      if (param->is<ConstType>() || !is_subtype(*this, param, var->upper()) || !is_subtype(*this, var->lower(), param))
        return wrong(fmt::format("{} must be a subtype of {}, got {}", var->name().text(), to_string(var->upper()), to_string(param)));
    }
    const TypeVar *vars[] = {var};
    result = substitute(all->body(), vars, {&param, 1});
  }
  return result;
}

TypeName *TypeContext::new_type_name(Symbol name, std::string module) {
  std::lock_guard lock(state_->owned_mutex);
  TypeName &made = state_->names.emplace_back();
  made.name = name;
  made.module = std::move(module);
  made.super = builtins_.Any;
  return &made;
}

TypeRef TypeContext::finish_type_name(TypeName &name) {
  std::vector<TypeRef> params(name.params.begin(), name.params.end());
  TypeRef type = data(name, params);
  for (size_t i = name.params.size(); i-- > 0;) type = union_all(name.params[i], type);
  name.wrapper = type;
  return type;
}

TypeRef TypeContext::new_function_type(Symbol function, std::string module) {
  TypeName *name = new_type_name(function, std::move(module));
  name->is_function = true;
  name->function_name = function;
  name->super = builtins_.Function;
  name->fields_defined = true;
  return finish_type_name(*name);
}

} // namespace kiln
