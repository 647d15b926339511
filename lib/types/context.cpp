// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constructs types: interning, application to parameters, substitution, unions.
#include "alpha.h"
#include "context_state.h"
#include "types.h"

#include <algorithm>
#include <cassert>

namespace kiln {

ConstType::ConstType(std::unique_ptr<const Value> value, uint64_t hash)
    : Type(Kind, false, hash), value_(std::move(value)) {}
ConstType::~ConstType() = default;

template <class Same, class Make> TypeRef TypeContext::intern(uint64_t key, Same same, Make make) {
  State::Shard &shard = state_->shards[key % State::shard_count];
  std::lock_guard lock(shard.mutex);
  auto [begin, end] = shard.types.equal_range(key);
  for (auto it = begin; it != end; ++it)
    if (same(it->second)) return it->second;
  TypeRef made = make();
  shard.types.emplace(key, made);
  return made;
}

/// Extends an intern key by a part of a type. A part with free variables counts by its address. By hash, all
/// renamings of a type would be equal and share one bucket.
static uint64_t extend_key(uint64_t key, TypeRef part) {
  return mix(key, part->has_free_vars() ? uint64_t(reinterpret_cast<uintptr_t>(part)) : part->hash());
}

/// Maximum count of a Vararg that is expanded. It exceeds Interpreter::Limits::type_size, so that that limit
/// applies first.
static constexpr int64_t max_written_out = 65536;

TypeContext::TypeContext() : state_(std::make_unique<State>()) {
  bottom_ = state_->own(new BottomType(*this));
  make_builtins();
}
TypeContext::~TypeContext() = default;

TypeRef TypeContext::data(const TypeName &name, std::span<const TypeRef> params) {
  if (name.is_tuple) return tuple(params);
  return intern_data(name, params);
}

TypeRef TypeContext::intern_data(const TypeName &name, std::span<const TypeRef> params) {
  uint64_t hash = mix(hash_text(name.name.text()), hash_text(name.module)), key = hash;
  bool free = false;
  for (TypeRef p : params) {
    if (!p) return nullptr;
    hash = mix(hash, p->hash());
    key = extend_key(key, p);
    free |= p->has_free_vars();
  }
  return intern(
      key,
      [&](TypeRef t) {
        const auto *d = t->as<DataType>();
        return d && &d->name() == &name &&
               std::equal(d->params().begin(), d->params().end(), params.begin(), params.end());
      },
      [&] { return state_->own(new DataType(&name, {params.begin(), params.end()}, free, hash)); });
}

TypeRef TypeContext::tuple(std::span<const TypeRef> elements) {
  std::vector<TypeRef> flat;
  if (!elements.empty() && elements.back())
    if (const auto *rest = elements.back()->as<VarargType>())
      if (const auto *count = rest->count() ? rest->count()->as<ConstType>() : nullptr) {
        // Vararg{T, 3} becomes T, T, T. A larger count stays unexpanded: no tuple is that long, so that the
        // type has no values.
        int64_t n = count->value().is_primitive() ? int64_t(count->value().low_bits()) : 0;
        if (n <= max_written_out) {
          flat.assign(elements.begin(), elements.end() - 1);
          for (int64_t i = 0; i < n; i++) flat.push_back(rest->element());
          elements = flat;
        }
      }
  return intern_data(*builtins_.TupleName, elements);
}

TypeRef TypeContext::named_tuple(std::span<const Symbol> names, std::span<const TypeRef> elements) {
  std::vector<Value> symbols;
  std::vector<TypeRef> symbol_types(names.size(), builtins_.Symbol);
  for (Symbol name : names) symbols.push_back(Value::symbol(*this, name));
  TypeRef names_type = tuple(symbol_types);
  TypeRef params[] = {constant(names.empty() ? Value::singleton(names_type)
                                             : Value::structure(names_type, std::move(symbols))),
                      tuple(elements)};
  return data(*builtins_.NamedTupleName, params);
}

TypeRef TypeContext::constant(const Value &value) {
  if (!value) return nullptr;
  uint64_t hash = mix(value.hash(), 17);
  return intern(
      hash, [&](TypeRef t) { return t->is<ConstType>() && egal(t->as<ConstType>()->value(), value); },
      [&] { return state_->own(new ConstType(std::make_unique<const Value>(value), hash)); });
}
TypeRef TypeContext::constant(int64_t value) { return constant(int64(value)); }

TypeRef TypeContext::type_of_type(TypeRef type) { return data(*builtins_.TypeTypeName, {&type, 1}); }

TypeRef TypeContext::vararg(TypeRef element, TypeRef count) {
  if (!element) return nullptr;
  uint64_t hash = mix(mix(19, element->hash()), count ? count->hash() : 0);
  uint64_t key = extend_key(19, element);
  if (count) key = extend_key(key, count);
  return intern(
      key,
      [&](TypeRef t) {
        const auto *v = t->as<VarargType>();
        return v && v->element() == element && v->count() == count;
      },
      [&] {
        auto *made = new VarargType(element, count,
                                    element->has_free_vars() || (count && count->has_free_vars()), hash);
        // For its size, an unexpanded Vararg counts as if it were expanded.
        if (const auto *n = count ? count->as<ConstType>() : nullptr; n && n->value().is_primitive())
          for (int64_t i = 1; i < std::min(int64_t(n->value().low_bits()), max_written_out); i++)
            made->add_size(element);
        return state_->own(made);
      });
}

const TypeVar *TypeContext::new_var(Symbol name, TypeRef lower, TypeRef upper) {
  if (!lower) lower = bottom_;
  if (!upper) upper = builtins_.Any;
  uint64_t hash = mix(mix(hash_text(name.text()), lower->hash()), upper->hash());
  return state_->own(new TypeVar(name, lower, upper, hash));
}

const TypeVar *TypeContext::renamed(const TypeVar *var) {
  std::lock_guard lock(state_->renamed_mutex);
  const TypeVar *&made = state_->renamed[var];
  if (!made) made = new_var(var->name(), var->lower(), var->upper());
  return made;
}

TypeRef TypeContext::union_all(const TypeVar *var, TypeRef body) {
  if (!var || !body) return nullptr;
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
  uint64_t key = hash;
  if (free) { // see extend_key
    bound.clear();
    key = mix(alpha_hash(var->lower(), bound, true), alpha_hash(var->upper(), bound, true));
    bound.push_back(var);
    key = mix(mix(key, alpha_hash(body, bound, true)), 13);
  }
  return intern(
      key,
      [&](TypeRef t) {
        Binders va, vb;
        return t->is<UnionAllType>() && alpha_equal(t, &candidate, va, vb);
      },
      [&] { return state_->own(new UnionAllType(candidate)); });
}

/// Collects the names of structs that a value of the type may contain, according to its parameters. May
/// contain too many.
static void held_names(TypeRef type, std::vector<const TypeName *> &into) {
  if (const auto *all = type->as<UnionAllType>()) return held_names(all->body(), into);
  if (const auto *members = type->as<UnionType>())
    for (TypeRef member : members->members()) held_names(member, into);
  const auto *data = type->as<DataType>();
  if (!data || data->is_primitive()) return;
  for (TypeRef parameter : data->params()) held_names(parameter, into);
  bool has_fields = !data->is_abstract() && !data->is_tuple() && !data->is_named_tuple();
  if (has_fields && std::find(into.begin(), into.end(), &data->name()) == into.end())
    into.push_back(&data->name());
}

static std::vector<const TypeName *> reachable_names(std::vector<const TypeName *> reached) {
  for (size_t i = 0; i < reached.size(); i++)
    for (TypeRef field : reached[i]->field_types) held_names(field, reached);
  return reached;
}

/// True if the type contains a struct whose fields may contain that struct again.
static bool leads_to_itself(TypeRef type) {
  std::vector<const TypeName *> held;
  held_names(type, held);
  for (const TypeName *name : reachable_names(std::move(held))) {
    if (!name->fields_defined) return true; // the struct is being defined, with a field of `type`
    std::vector<const TypeName *> fields;
    for (TypeRef field : name->field_types) held_names(field, fields);
    std::vector<const TypeName *> reachable = reachable_names(std::move(fields));
    if (std::find(reachable.begin(), reachable.end(), name) != reachable.end()) return true;
  }
  return false;
}

TypeRef TypeContext::union_of(std::span<const TypeRef> types) {
  if (std::ranges::find(types, nullptr) != types.end()) return nullptr;
  std::vector<TypeRef> members;
  auto add = [&](auto &self, TypeRef t) -> void {
    if (const auto *u = t->as<UnionType>()) {
      for (TypeRef m : u->members()) self(self, m);
    } else if (t != bottom_ && std::find(members.begin(), members.end(), t) == members.end()) {
      members.push_back(t);
    }
  };
  for (TypeRef t : types) add(add, t);
  if (members.empty()) return bottom_;
  if (members.size() == 1) return members[0];
  if (std::find(members.begin(), members.end(), builtins_.Any) != members.end()) return builtins_.Any;
  // Drop members that are subtypes of other members. A concrete type is never a subtype of another concrete
  // type.
  std::vector<TypeRef> remaining;
  for (size_t i = 0; i < members.size(); i++) {
    bool covered = false;
    for (size_t j = 0; j < members.size() && !covered; j++) {
      if (i == j || members[i]->has_free_vars() || members[j]->has_free_vars()) continue;
      if (is_concrete(members[i]) && is_concrete(members[j]) && !type_parameter(members[i]) &&
          !type_parameter(members[j]))
        continue;
      covered =
          is_subtype(*this, members[i], members[j]) && (j < i || !is_subtype(*this, members[j], members[i]));
    }
    if (!covered) remaining.push_back(members[i]);
  }
  if (remaining.size() == 1) return remaining[0];
  // Order of the members: singletons first, as Julia prints Union{Nothing, Int64}; then isbits types; then by
  // name. Recursive structs are not tested for this, since one may be under construction.
  auto rank = [&](TypeRef t) { return leads_to_itself(t) ? 2 : is_singleton(t) ? 0 : is_isbits(t) ? 1 : 2; };
  auto text = [](TypeRef t) {
    const auto *d = t->as<DataType>();
    return d ? d->name().name.text() : std::string_view();
  };
  std::stable_sort(remaining.begin(), remaining.end(), [&](TypeRef a, TypeRef b) {
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    if (text(a) != text(b)) return text(a) < text(b);
    return a->hash() < b->hash();
  });
  uint64_t hash = 23, key = hash;
  bool free = false;
  for (TypeRef t : remaining) {
    hash = mix(hash, t->hash());
    key = extend_key(key, t);
    free |= t->has_free_vars();
  }
  return intern(
      key,
      [&](TypeRef t) {
        const auto *u = t->as<UnionType>();
        return u && std::equal(u->members().begin(), u->members().end(), remaining.begin(), remaining.end());
      },
      [&] { return state_->own(new UnionType(remaining, free, hash)); });
}

TypeRef TypeContext::substitute(TypeRef type, std::span<const TypeVar *const> vars,
                                std::span<const TypeRef> values) {
  if (!type || !type->has_free_vars() || vars.empty()) return type;
  auto each = [&](TypeRef t) { return substitute(t, vars, values); };
  switch (type->kind()) {
  case TypeKind::Var: {
    for (size_t i = 0; i < std::min(vars.size(), values.size()); i++)
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
    if (lower == all->var()->lower() && upper == all->var()->upper())
      return union_all(all->var(), each(all->body()));
    const TypeVar *fresh = new_var(all->var()->name(), lower, upper);
    const TypeVar *old[] = {all->var()};
    TypeRef replacement[] = {fresh};
    return union_all(fresh, each(substitute(all->body(), old, replacement)));
  }
  default: return type;
  }
}

/// Checks the parameters of the data types in `type` against the bounds that their names declare.
static Result<void> check_bounds(TypeContext &types, TypeRef type) {
  while (const auto *all = type->as<UnionAllType>()) type = all->body();
  const auto *data = type->as<DataType>();
  if (!data) return {};
  for (TypeRef param : data->params()) KILN_CHECK(check_bounds(types, param));
  const auto is_bounded = [&](const TypeVar *var) {
    return var->upper() != types.builtins().Any || var->lower() != types.bottom();
  };
  if (!data->name().wrapper || std::ranges::none_of(data->name().params, is_bounded)) return {};
  KILN_TRY(TypeRef same, types.apply(data->name().wrapper, data->params()));
  (void)same;
  return {};
}

Result<TypeRef> TypeContext::apply(TypeRef type, std::span<const TypeRef> params) {
  auto wrong = [&](std::string why) {
    return make_error(ErrorCode::TypeError,
                      fmt::format("in type application {}{{...}}: {}", spell(type), why));
  };
  if (!type) return usage_error("TypeContext::apply: the type is null");
  if (std::ranges::find(params, nullptr) != params.end())
    return usage_error(fmt::format("TypeContext::apply: a parameter of {} is null", spell(type)));
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
  // All parameters are substituted at once: with N = 0, NTuple{N,T} would lose its T before it gets a value.
  TypeRef body = type;
  std::vector<const TypeVar *> vars;
  for (TypeRef param : params) {
    const auto *all = body->as<UnionAllType>();
    if (!all) return wrong("too many parameters");
    const TypeVar *var = all->var();
    const std::span<const TypeRef> earlier = params.first(vars.size());
    const TypeRef upper = substitute(var->upper(), vars, earlier);
    const TypeRef lower = substitute(var->lower(), vars, earlier);
    bool bounded = upper != builtins_.Any || lower != bottom_;
    if (bounded && !param->has_free_vars() && !upper->has_free_vars() && !lower->has_free_vars()) {
      if (param->is<ConstType>() || !is_subtype(*this, param, upper) || !is_subtype(*this, lower, param))
        return wrong(fmt::format("{} must be a subtype of {}, got {}", var->name().text(), spell(upper),
                                 spell(param)));
    }
    vars.push_back(var);
    body = all->body();
  }
  const TypeRef made = substitute(body, vars, params);
  if (const auto *data = body->as<DataType>(); !data || data->name().wrapper != type)
    KILN_CHECK(check_bounds(*this, made));
  return made;
}

TypeName *TypeContext::new_type_name(Symbol name, std::string module) {
  std::lock_guard lock(state_->owned_mutex);
  TypeName &made = state_->names.emplace_back();
  made.context = this;
  made.name = name;
  made.module = std::move(module);
  made.super = builtins_.Any;
  state_->types_named[name].push_back(&made);
  return &made;
}

const TypeName *TypeContext::find_type_name(std::string_view module, Symbol name) const {
  std::lock_guard lock(state_->owned_mutex);
  auto named = state_->types_named.find(name);
  if (named == state_->types_named.end()) return nullptr;
  auto found = std::find_if(named->second.rbegin(), named->second.rend(),
                            [&](const TypeName *each) { return each->module == module; });
  return found == named->second.rend() ? nullptr : *found;
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
