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

/// Place of a method of the library: by file, in the order of loading, and by place in the file.
static uint64_t place_in_library(Span at) { return uint64_t(at.file) << 32 | at.begin; }

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
  // The host library's methods of any type replace others of the library.
  if (key.kind == SignatureKey::Kind::AnyType && !is_postponed) KILN_CHECK(complete(state_->any_type, {}));
  const bool is_retroactive = method->of_fresh_type || is_postponed;
  if (!method->is_library && !state_->extends_library &&
      (key.kind != SignatureKey::Kind::Named || is_of_library(*this, *key.name)))
    state_->extends_library = true;

  std::scoped_lock hold(state_->lock);
  WorldAge age = method->of_fresh_type ? FirstWorld
                 : is_postponed        ? state_->completed_since
                                       : age_.load(std::memory_order_relaxed) + 1;
  method->begin = age;
  method->place = method->is_library ? place_in_library(method->at)
                  : is_postponed     ? state_->completed_place
                                     : ++state_->places;
  CalleeTable &table = state_->callees;
  Callee *callee = key.kind == SignatureKey::Kind::Named ? &table.callee(key.name, age) : nullptr;
  MethodGroup &group = callee                                    ? callee->methods
                       : key.kind == SignatureKey::Kind::AnyType ? table.general_types
                                                                 : table.general;
  MethodTable &methods = group.table(method->overlay);
  auto compare = [&](const MethodEntry &old) {
    const bool is_later = old.method->place > method->place;
    const bool is_current = old.method->end.load(std::memory_order_relaxed) == EndOfTime;
    if ((!is_later && !is_current) || !equal_signatures(types_, old, entry)) return;
    Method &replaced = is_later ? *method : *const_cast<Method *>(old.method); // owned by the World
    const WorldAge end = is_later ? old.method->begin : age;
    if (replaced.end.load(std::memory_order_relaxed) == EndOfTime)
      state_->retired.fetch_add(1, std::memory_order_relaxed);
    if (end < replaced.end.load(std::memory_order_relaxed))
      replaced.end.store(end, std::memory_order_release);
  };
  // Equal signatures have the same leaf as first argument, or none has a leaf: visit only such methods.
  methods.visit(entry.leaves.size() > 1 ? entry.leaves[1] : nullptr, compare);
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

void CompilerWorld::postpone(TypeRef callee, std::function<Result<void>()> define, Postponement how) {
  if (!callee || !callee->is<DataType>() || !define) return;
  Callee &of = callee_of(&callee->as<DataType>()->name());
  std::lock_guard evaluation(*state_->evaluation);
  std::scoped_lock hold(state_->lock);
  of.postponed.push_back({std::move(define),
                          how.since_now ? age_.load(std::memory_order_relaxed) : FirstWorld, ++state_->places,
                          how.is_of_package, std::move(how.shapes)});
  of.cache.clear();
  of.is_complete.store(false, std::memory_order_release);
}

void CompilerWorld::postpone_for_types(std::function<Result<void>()> define) {
  if (!define) return;
  std::lock_guard evaluation(*state_->evaluation);
  std::scoped_lock hold(state_->lock);
  state_->any_type.postponed.push_back({std::move(define)});
  state_->any_type.is_complete.store(false, std::memory_order_release);
}

/// True if a look-up of these arguments may need the postponed definition. No arguments: any look-up.
static bool is_needed(const Callee::Postponed &each, std::span<const TypeRef> arguments, bool of_packages) {
  if (of_packages && !each.is_of_package) return false;
  return arguments.empty() || each.shapes.empty() ||
         std::ranges::any_of(each.shapes, [&](const CallShape &shape) { return may_take(shape, arguments); });
}

/// Takes the postponed definitions that a look-up may need. If there are none, the look-up's run of
/// definitions ends.
std::vector<Callee::Postponed> World::State::take_needed(Callee &callee, std::span<const TypeRef> arguments,
                                                         bool of_packages) {
  std::scoped_lock hold(lock);
  const auto needed = std::ranges::stable_partition(callee.postponed, [&](const Callee::Postponed &each) {
    return !is_needed(each, arguments, of_packages);
  });
  std::vector<Callee::Postponed> taken(std::make_move_iterator(needed.begin()),
                                       std::make_move_iterator(needed.end()));
  callee.postponed.erase(needed.begin(), needed.end());
  if (taken.empty() && --callee.num_running == 0 && callee.postponed.empty())
    callee.is_complete.store(true, std::memory_order_release);
  return taken;
}

Result<void> CompilerWorld::complete(Callee &callee, std::span<const TypeRef> arguments,
                                     bool of_packages) const {
  if (callee.name && !callee.is_named.load(std::memory_order_acquire)) { // a built-in type was not looked up
    KILN_CHECK(complete(callee.name->name));
    callee.is_named.store(true, std::memory_order_release);
  }
  if (callee.is_complete.load(std::memory_order_acquire)) return {};
  const auto is_missing = [&](const Callee::Postponed &each) {
    return is_needed(each, arguments, of_packages);
  };
  {
    std::shared_lock hold(state_->lock); // most look-ups need none, and do not wait for code that runs
    if (callee.num_running == 0 && std::ranges::none_of(callee.postponed, is_missing)) return {};
  }
  std::lock_guard evaluation(*state_->evaluation);
  {
    std::scoped_lock hold(state_->lock);
    ++callee.num_running;
  }
  Result<void> result;
  for (;;) { // definitions may look up this callee, and postpone more
    std::vector<Callee::Postponed> needed = state_->take_needed(callee, arguments, of_packages);
    if (needed.empty()) break;
    State::Completing completing(*state_, /*of_names=*/false);
    for (const Callee::Postponed &each : needed) {
      completing.runs(each);
      if (Result<void> defined = each.define(); !defined.ok() && result.ok()) result = std::move(defined);
    }
  }
  return result;
}

Result<std::vector<const Method *>> CompilerWorld::all_methods() {
  KILN_CHECK(define_names());
  KILN_CHECK(complete(state_->any_type, {}));
  auto next_incomplete = [&]() -> Callee * {
    std::shared_lock hold(state_->callees.lock);
    for (auto &callee : state_->callees.callees)
      if (!callee->is_complete.load(std::memory_order_acquire)) return callee.get();
    return nullptr;
  };
  while (Callee *callee = next_incomplete()) KILN_CHECK(complete(*callee, {}));
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
  LookupKey key{arguments, overlay};
  auto known = [&]() -> std::optional<MethodMatch> {
    if (world < callee.changed) return std::nullopt;
    std::shared_lock cache(callee.cache_lock);
    auto found = callee.cache.find(key);
    return found == callee.cache.end() ? std::nullopt : std::optional(found->second);
  };
  if (!callee.is_complete.load(std::memory_order_acquire)) {
    std::shared_lock hold(state_->lock);
    if (auto match = known()) return std::move(*match);
  }
  KILN_CHECK(complete(callee, elements));
  if (may_be_type(elements[0])) KILN_CHECK(complete(state_->any_type, elements));
  std::shared_lock hold(state_->lock);
  const bool memoised = world >= callee.changed;
  if (auto match = known()) return std::move(*match);
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
  Callee &callee = callee_of(callee_name(types_, arguments));
  if (!complete(callee, elements, /*of_packages=*/true).ok()) return true; // a look-up returns the error
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
    if (!callee.is_complete.load(std::memory_order_acquire)) return true;
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
  if (!complete(callee, {}).ok() || !complete(state_->any_type, {}).ok()) // callers get the error
    return methods;
  std::shared_lock hold(state_->lock);
  auto collect = [&](const MethodGroup &group, std::string_view from) {
    const size_t first = methods.size();
    if (const MethodTable *table_of_methods = group.find(from))
      for (const MethodEntry &entry : table_of_methods->entries()) {
        const Method &method = *entry.method;
        if (method.begin > world || method.end.load(std::memory_order_relaxed) <= world) continue;
        // A signature may accept any callee: restrict it to this callee.
        std::vector<const TypeVar *> vars;
        TypeRef body = nullptr;
        types_.unwrap_all(method.signature, vars, body);
        TypeRef called = types_.tuple({tuple_elements(types_, body)[0]});
        for (auto var = vars.rbegin(); var != vars.rend(); ++var) called = types_.union_all(*var, called);
        if (may_intersect(types_, called, arguments)) methods.push_back(&method);
      }
    std::ranges::stable_sort(methods.begin() + ptrdiff_t(first), methods.end(), {}, &Method::place);
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
