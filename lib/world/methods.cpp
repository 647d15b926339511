// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Definition and look-up of methods.
#include "state.h"

namespace kiln {

/// Checks a method's signature, and sets the fields that follow from the signature.
static Result<void> check_signature(TypeContext &types, Method &method) {
  if (!method.signature || method.signature->has_free_vars())
    return usage_error(fmt::format("method {} has no closed signature", method.name.text()));
  std::span<const TypeRef> params = tuple_elements(types, method.signature);
  if (params.empty() || params[0]->is<VarargType>())
    return usage_error(
        fmt::format("the signature of {} is no tuple of a function and its arguments", method.name.text()));
  std::vector<const TypeVar *> vars;
  TypeRef body = nullptr;
  types.unwrap_all(method.signature, vars, body);
  if (method.static_params.empty()) method.static_params = vars;
  if (method.static_params.size() != vars.size())
    return input_error(fmt::format("method {} declares a type variable that its signature does not use: {}",
                                   method.name.text(), spell(method.signature)));
  // A signature contains Vararg{T, 3} as T, T, T. Only the method's creator knows that the last argument
  // collects these three.
  const bool is_open = params.back()->is<VarargType>();
  const bool collects_some =
      !is_open && method.is_vararg && method.nargs >= 2 && params.size() + 1 >= method.nargs;
  if (!collects_some) {
    method.nargs = uint32_t(params.size());
    method.is_vararg = is_open;
  }
  return {};
}

/// Finds the type name that an argument for this parameter must have, or `a_union` for a union. Null:
/// unknown.
static const TypeName a_union;
static const TypeName *name_of_parameter(TypeRef type) {
  while (const auto *all = type->as<UnionAllType>()) type = all->body();
  while (const auto *var = type->as<TypeVar>()) {
    if (var->lower()->kind() != TypeKind::Bottom) return nullptr;
    type = var->upper();
    while (const auto *all = type->as<UnionAllType>()) type = all->body();
  }
  if (type->is<UnionType>() && !type->has_free_vars()) return &a_union;
  const auto *data = type->as<DataType>();
  return data && !data->name().is_type ? &data->name() : nullptr;
}

/// Quick test for unequal signatures. Types with different names are unequal. A union, whose members do not
/// cover each other, and a single type are unequal too. Cheaper than two subtype tests.
static bool differ_in_a_name(TypeContext &types, const MethodEntry &a, const MethodEntry &b) {
  std::span<const TypeRef> x = tuple_elements(types, a.method->signature),
                           y = tuple_elements(types, b.method->signature);
  for (uint32_t i = 0; i < a.fixed; ++i) {
    if (x[i] == y[i]) continue;
    const TypeName *p = name_of_parameter(x[i]), *q = name_of_parameter(y[i]);
    if (!p || !q || p == q) continue;
    const bool splits = p->is_tuple || q->is_tuple || p->is_named_tuple ||
                        q->is_named_tuple; // a tuple may equal a union of tuples
    if ((p != &a_union && q != &a_union) || !splits) return true;
  }
  return false;
}

static bool equal_signatures(TypeContext &types, const MethodEntry &a, const MethodEntry &b) {
  if (a.method->signature == b.method->signature) return true;
  return a.fixed == b.fixed && a.vararg == b.vararg && a.leaves == b.leaves &&
         !differ_in_a_name(types, a, b) && equal_types(types, a.method->signature, b.method->signature);
}

void World::State::adopt(const World &world, Method &method) {
  method.evaluation_ = world.state_->evaluation;
  method.throw_undef_var_ = world.intrinsic_value(Intrinsic::throw_undef_var);
  method.sources_ = &world.sources_;
}

static Error of_another_session(TypeRef type) {
  return usage_error(
      fmt::format("{} was made by another session: give this session's own types", spell_short(type)));
}

/// Returns true if the library defines this function or type.
static bool is_of_library(const CompilerWorld &world, const TypeName &name) {
  using Kind = CompilerWorld::Meaning::Kind;
  const Module *module = world.find_module(name.module);
  return module && world.meaning(*module, name.name, world.age()).kind == Kind::Library;
}

Result<const Method *> CompilerWorld::define(std::unique_ptr<Method> method) {
  if (!method) return usage_error("CompilerWorld::define: the method is null");
  KILN_CHECK(check_signature(types_, *method));
  SignatureKey key = signature_key(types_, method->signature);
  if (!types_.owns(method->signature)) return of_another_session(method->signature);
  if (key.kind == SignatureKey::Kind::Named && key.name->is_function && intrinsic(key.name->wrapper))
    return input_error(fmt::format("cannot add methods to the builtin function {}", method->name.text()),
                       locate(method->at));
  State::adopt(*this, *method);
  method->keep_file(method->at);
  MethodEntry entry = method_entry(types_, *method);
  const auto file = sources_.file(method->at.file);
  method->is_library = file && file->is_library();
  const bool is_postponed = state_->completing.load(std::memory_order_relaxed) == std::this_thread::get_id();
  // A library defines each signature once, except for methods of any type: there the host library's replace
  // others.
  if (key.kind == SignatureKey::Kind::Named && !method->is_library)
    if (Callee &callee = callee_of(key.name); !is_postponed || !state_->may_precede_postponed(callee))
      KILN_CHECK(complete(callee, false));
  if (key.kind == SignatureKey::Kind::AnyType && !is_postponed) KILN_CHECK(complete(state_->any_type, false));
  const bool is_retroactive = method->of_fresh_type || is_postponed;
  if (!method->is_library && !state_->extends_library &&
      (key.kind != SignatureKey::Kind::Named || is_of_library(*this, *key.name)))
    state_->extends_library = true;

  std::scoped_lock hold(state_->lock);
  WorldAge age = method->of_fresh_type ? FirstWorld
                 : is_postponed        ? state_->completed_since
                                       : age_.load(std::memory_order_relaxed) + 1;
  method->begin = age;
  CalleeTable &table = state_->callees;
  Callee *callee = key.kind == SignatureKey::Kind::Named ? &table.callee(key.name, age) : nullptr;
  MethodGroup &group = callee                                    ? callee->methods
                       : key.kind == SignatureKey::Kind::AnyType ? table.general_types
                                                                 : table.general;
  MethodTable &methods = group.table(method->overlay);
  // Equal signatures have the same leaf as first argument, or none has a leaf: visit only such methods.
  methods.visit(entry.leaves.size() > 1 ? entry.leaves[1] : nullptr, [&](const MethodEntry &old) {
    if (old.method->end.load(std::memory_order_relaxed) == EndOfTime &&
        equal_signatures(types_, old, entry)) {
      const_cast<Method *>(old.method)->end.store(age, std::memory_order_release); // owned by the World
      state_->retired.fetch_add(1, std::memory_order_relaxed);
    }
  });
  if (!method->is_library) group.added.add(entry);
  methods.add(std::move(entry));
  if (is_retroactive) { // only look-ups by the definition itself can have missed the method
    if (callee) {
      callee->cache.clear();
      callee->changed = std::max(callee->changed, age);
    }
    const Method *defined = method.get();
    state_->methods.push_back(std::move(method));
    return defined;
  }

  auto forget = [&](Callee &of) {
    of.changed = age;
    of.cache.clear(); // safe: look-ups hold the World's lock shared, and this holds it alone
  };
  if (callee)
    forget(*callee);
  else
    for (auto &each : table.callees) forget(*each);
  const Method *defined = method.get();
  state_->methods.push_back(std::move(method));
  age_.store(age, std::memory_order_release);
  state_->method_added(types_, *defined, callee, age);
  return defined;
}

Callee &CompilerWorld::callee_of(const TypeName *name) const {
  std::shared_lock hold(state_->lock);
  return state_->callees.callee(name, age());
}

/// True if a method of the postponed definition that runs now may be defined before those that are postponed.
bool World::State::may_precede_postponed(const Callee &callee) const {
  return completed_group != 0 && std::ranges::all_of(callee.postponed, [&](const Callee::Postponed &each) {
           return each.group == completed_group;
         });
}

void CompilerWorld::postpone(TypeRef callee, std::function<Result<void>()> define, Postponement how) {
  if (!callee || !callee->is<DataType>() || !define) return;
  Callee &of = callee_of(&callee->as<DataType>()->name());
  std::lock_guard hold(*state_->evaluation);
  of.postponed.push_back({std::move(define), how.since_now ? age() : FirstWorld, {}, how.group});
  of.is_complete.store(false, std::memory_order_release);
}

void CompilerWorld::postpone_for_types(std::function<Result<void>()> define) {
  if (!define) return;
  std::lock_guard evaluation(*state_->evaluation);
  state_->any_type.postponed.push_back({std::move(define), FirstWorld, {}});
  state_->any_type.is_complete.store(false, std::memory_order_release);
}

void CompilerWorld::postpone_guarded(TypeRef callee, std::span<const std::string_view> guards,
                                     std::function<Result<void>()> define) {
  if (!callee || !callee->is<DataType>() || !define) return;
  Callee &of = callee_of(&callee->as<DataType>()->name());
  std::lock_guard evaluation(*state_->evaluation);
  std::scoped_lock hold(state_->lock);
  of.postponed.push_back({std::move(define), FirstWorld, guards});
  of.has_guarded.store(true, std::memory_order_release);
  bool is_reachable = guards.empty();
  for (std::string_view guard : guards) is_reachable = is_reachable || state_->waiting.is_known(guard);
  if (is_reachable) of.is_complete.store(false, std::memory_order_release);
  for (std::string_view guard : guards)
    if (!is_reachable) state_->waiting.guard(guard, of);
}

/// Takes the postponed definitions that may run: all of them, or those without guards or with a guard that
/// was looked up.
std::vector<Callee::Postponed> World::State::take_reachable(Callee &callee, bool all) {
  std::vector<Callee::Postponed> reachable, guarded;
  std::shared_lock hold(lock);
  for (Callee::Postponed &each : callee.postponed) {
    const bool is_reachable =
        all || each.guards.empty() ||
        std::ranges::any_of(each.guards, [&](std::string_view guard) { return waiting.is_known(guard); });
    (is_reachable ? reachable : guarded).push_back(std::move(each));
  }
  callee.postponed = std::move(guarded);
  callee.has_guarded.store(!callee.postponed.empty(), std::memory_order_release);
  return reachable;
}

Result<void> CompilerWorld::complete(Callee &callee, bool all) const {
  if (callee.name && !callee.is_named.load(std::memory_order_acquire)) { // a built-in type was not looked up
    KILN_CHECK(complete(callee.name->name));
    callee.is_named.store(true, std::memory_order_release);
  }
  if (callee.is_complete.load(std::memory_order_acquire) &&
      !(all && callee.has_guarded.load(std::memory_order_acquire)))
    return {};
  std::lock_guard evaluation(*state_->evaluation);
  Result<void> result;
  ++callee.num_running;
  for (;;) { // definitions may look up guards of others
    std::vector<Callee::Postponed> reachable = state_->take_reachable(callee, all);
    if (reachable.empty()) break;
    State::Completing completing(*state_, /*of_names=*/false);
    for (const Callee::Postponed &each : reachable) {
      completing.runs(each);
      if (Result<void> defined = each.define(); !defined.ok() && result.ok()) result = std::move(defined);
    }
  }
  if (--callee.num_running == 0) callee.is_complete.store(true, std::memory_order_release);
  return result;
}

Result<std::vector<const Method *>> CompilerWorld::all_methods() {
  KILN_CHECK(define_names());
  KILN_CHECK(complete(state_->any_type, true));
  auto next_incomplete = [&]() -> Callee * {
    std::shared_lock hold(state_->callees.lock);
    for (auto &callee : state_->callees.callees)
      if (!callee->is_complete.load(std::memory_order_acquire) ||
          callee->has_guarded.load(std::memory_order_acquire))
        return callee.get();
    return nullptr;
  };
  while (Callee *callee = next_incomplete()) KILN_CHECK(complete(*callee, true));
  std::shared_lock hold(state_->lock);
  std::vector<const Method *> methods;
  for (auto &method : state_->methods) methods.push_back(method.get());
  return methods;
}

bool CompilerWorld::has_dependents(TypeRef callee) const {
  if (!callee || !callee->is<DataType>()) return false;
  const Callee &of = callee_of(&callee->as<DataType>()->name());
  std::shared_lock hold(state_->lock);
  return std::ranges::any_of(of.backedges, [](const CallBackedge &edge) { return !edge.records.empty(); });
}

size_t World::method_count() const {
  std::shared_lock hold(state_->lock);
  return state_->methods.size();
}

std::vector<const Method *> CompilerWorld::methods_from(size_t count) const {
  std::shared_lock hold(state_->lock);
  std::vector<const Method *> methods;
  for (size_t i = count; i < state_->methods.size(); ++i) methods.push_back(state_->methods[i].get());
  return methods;
}

const TypeName *CompilerWorld::owner(const Method &method) const {
  return method.signature ? signature_key(types_, method.signature).name : nullptr;
}

/// False if values of types that do not exist yet may have this type: it is abstract or has variables.
static bool is_closed(TypeRef type) {
  if (const auto *either = type->as<UnionType>()) return std::ranges::all_of(either->members(), is_closed);
  if (type->is<ConstType>()) return true;
  const auto *data = type->as<DataType>();
  if (!data || data->has_free_vars()) return false;
  if (data->name().is_type) return !data->params().empty();
  if (data->is_abstract()) return false;
  return !data->is_tuple() || std::ranges::all_of(data->params(), is_closed);
}

/// False if no value of this type is a type.
static bool may_be_type(TypeRef callee) {
  const auto *data = callee->as<DataType>();
  return !data || data->is_abstract() || !data->name().is_function;
}

bool CompilerWorld::is_for_types(const Method &method) const {
  return method.signature && signature_key(types_, method.signature).kind == SignatureKey::Kind::AnyType;
}

Result<MethodMatch> CompilerWorld::lookup_method(TypeRef arguments, WorldAge world, Symbol overlay) {
  if (!arguments) return usage_error("CompilerWorld::lookup_method: the arguments' tuple is null");
  std::span<const TypeRef> elements = tuple_elements(types_, arguments);
  if (elements.empty() || elements[0]->is<VarargType>())
    return usage_error(
        fmt::format("a method was looked up for {}, which names no function", spell(arguments)));
  const TypeName *name = callee_name(types_, arguments);
  if (name && name->context != &types_) return of_another_session(arguments);
  Callee &callee = callee_of(name);
  KILN_CHECK(complete(callee, /*all=*/!std::ranges::all_of(elements, is_closed)));
  if (may_be_type(elements[0])) KILN_CHECK(complete(state_->any_type, false));
  std::shared_lock hold(state_->lock);
  const bool memoised = world >= callee.changed;
  LookupKey key{arguments, overlay};
  if (memoised) {
    std::shared_lock cache(callee.cache_lock);
    if (auto found = callee.cache.find(key); found != callee.cache.end()) return found->second;
  }
  MethodMatch match = choose_method(types_, state_->callees, callee, arguments, world, overlay);
  if (memoised) {
    std::scoped_lock cache(callee.cache_lock);
    callee.cache.emplace(key, match);
  }
  return match;
}

bool CompilerWorld::may_choose_added(TypeRef arguments, Symbol overlay) const {
  std::span<const TypeRef> elements =
      arguments ? tuple_elements(types_, arguments) : std::span<const TypeRef>();
  if (elements.empty()) return false;
  const Callee &callee = callee_of(callee_name(types_, arguments));
  std::shared_lock hold(state_->lock);
  const MethodGroup *groups[] = {&callee.methods, &state_->callees.general, &state_->callees.general_types};
  bool found = false;
  for (const MethodGroup *group : groups)
    group->added.visit(first_argument_type(elements), [&](const MethodEntry &entry) {
      found = found || (searches(overlay, entry.method->overlay) && may_match(entry, elements));
    });
  return found;
}

bool CompilerWorld::has_methods(TypeRef function_type) const {
  if (!function_type) return false;
  if (const auto *type = function_type->as<DataType>(); type && type->name().is_function) {
    const Callee &callee = callee_of(&type->name());
    if (!callee.is_complete.load(std::memory_order_acquire) ||
        callee.has_guarded.load(std::memory_order_acquire))
      return true;
    std::shared_lock hold(state_->lock);
    const auto &entries = callee.methods.common.entries();
    if (std::any_of(entries.begin(), entries.end(), [](const MethodEntry &e) {
          return e.method->end.load(std::memory_order_relaxed) == EndOfTime;
        }))
      return true;
  }
  return !methods_of(function_type, {}, age()).empty();
}

std::vector<const Method *> CompilerWorld::methods_of(TypeRef function_type, Symbol overlay,
                                                      WorldAge world) const {
  std::vector<const Method *> methods;
  if (!function_type) return methods;
  TypeRef arguments = types_.tuple({function_type});
  if (tuple_elements(types_, arguments).empty()) return methods; // a Vararg without elements
  CalleeTable &table = state_->callees;
  Callee &callee = callee_of(callee_name(types_, arguments));
  if (!complete(callee, true).ok() || !complete(state_->any_type, true).ok()) // callers get the error
    return methods;
  std::shared_lock hold(state_->lock);
  auto collect = [&](const MethodGroup &group, std::string_view from) {
    if (const MethodTable *table_of_methods = group.find(from))
      for (const MethodEntry &entry : table_of_methods->entries()) {
        const Method &method = *entry.method;
        if (method.begin > world || method.end.load(std::memory_order_relaxed) <= world) continue;
        // A signature may accept any callee: restrict it to this callee.
        std::vector<const TypeVar *> vars;
        TypeRef body = nullptr;
        types_.unwrap_all(method.signature, vars, body);
        TypeRef first = types_.tuple({tuple_elements(types_, body)[0]});
        for (auto var = vars.rbegin(); var != vars.rend(); ++var) first = types_.union_all(*var, first);
        if (may_intersect(types_, first, arguments)) methods.push_back(&method);
      }
  };
  auto collect_all = [&](std::string_view from) {
    collect(callee.methods, from);
    collect(table.general_types, from);
    collect(table.general, from);
  };
  for (std::string_view rest = overlay ? overlay.text() : std::string_view(); !rest.empty();)
    collect_all(next_table(rest));
  collect_all({});
  return methods;
}

} // namespace kiln
