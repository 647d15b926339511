// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and their values: resolution, versions of bindings, deferred evaluation.
#include "state.h"

namespace kiln {

const Binding::Version *Binding::at(WorldAge world) const {
  for (auto version = versions.rbegin(); version != versions.rend(); ++version)
    if (version->begin <= world && world < version->end) return &*version;
  return nullptr;
}

namespace {

constexpr int max_reexports = 32;

std::shared_ptr<Binding> own(const ModuleContents &contents, Symbol name, WorldAge at) {
  auto found = contents.bindings.find(name);
  if (found == contents.bindings.end() || !found->second->at(at)) return nullptr;
  if (auto import = contents.imported.find(name); import != contents.imported.end() && at < import->second)
    return nullptr;
  return found->second;
}

} // namespace

World::State::Resolution World::State::resolve(const World &world, const Module &module, Symbol name,
                                               WorldAge at) const {
  struct Resolver {
    Symbol name;
    WorldAge at;
    Resolution result;
    /// Finds a name among a module's own names, and among exported names of the modules that it uses.
    std::shared_ptr<Binding> find(const Module &module, int depth) {
      const ModuleContents &here = contents(module);
      if (auto binding = own(here, name, at)) return binding;
      std::shared_ptr<Binding> found;
      if (depth == 0) return found;
      const Module *from = nullptr;
      for (const auto &[used, begin] : here.usings) {
        if (at < begin || !contents(*used).exports_at(name, at)) continue;
        auto binding = find(*used, depth - 1);
        if (!binding || binding == found) continue;
        if (found) {
          result.first = from;
          result.second = used;
          continue;
        }
        found = std::move(binding);
        from = used;
      }
      return found;
    }
  } resolver{name, at, {}};

  Resolution &result = resolver.result;
  result.binding = resolver.find(module, max_reexports);
  if (!result.binding && contents(module).uses_base) result.binding = own(contents(*world.base_), name, at);
  if (!result.binding && &module != world.core_) result.binding = own(contents(*world.core_), name, at);
  if (result.binding) result.version = result.binding->at(at);
  return std::move(result);
}

// ---- reading

static Result<Value> evaluate(DeferredValue &deferred, EvaluationMutex &evaluation, Symbol name,
                              const std::atomic<WorldAge> &age) {
  if (deferred.ready.load(std::memory_order_acquire)) return *deferred.value;
  std::scoped_lock hold(evaluation);
  if (deferred.ready.load(std::memory_order_relaxed)) return *deferred.value;
  if (deferred.evaluating)
    return undefined_error(name.str(),
                           fmt::format("{} is needed to evaluate its own definition", name.text()));
  if (deferred.error && deferred.failed_at == age.load(std::memory_order_acquire)) return *deferred.error;
  deferred.evaluating = true;
  Result<Value> made = deferred.evaluate();
  deferred.evaluating = false;
  if (!made.ok()) {
    deferred.error = made.error();
    deferred.failed_at = age.load(std::memory_order_acquire);
    return made.take_error();
  }
  if (!made.value()) return internal_error(fmt::format("the value of {} evaluated to no value", name.text()));
  deferred.value = made.value();
  deferred.evaluate = nullptr; // it owns syntax
  deferred.error.reset();
  deferred.ready.store(true, std::memory_order_release);
  return *deferred.value;
}

Result<std::optional<Value>> World::lookup(const Module &module, Symbol name, WorldAge world) {
  KILN_CHECK(compiler_world(*this).complete(name));
  std::shared_lock hold(state_->lock);
  auto found = state_->resolve(*this, module, name, world);
  if (found.second)
    return undefined_error(name.str(),
                           fmt::format("both {} and {} export {}; uses of it in module {} must be qualified",
                                       found.first->full_name(), found.second->full_name(), name.text(),
                                       module.full_name()));
  if (!found.version) return std::optional<Value>();
  if (!found.version->deferred) return std::optional<Value>(found.version->value);
  std::shared_ptr<DeferredValue> deferred = found.version->deferred;
  hold.unlock(); // evaluation may make definitions
  KILN_TRY(Value value, evaluate(*deferred, *state_->evaluation, name, age_));
  return std::optional<Value>(std::move(value));
}

bool World::is_defined(const Module &module, Symbol name) {
  if (!compiler_world(*this).complete(name).ok()) return false; // lookup() returns the error
  std::shared_lock hold(state_->lock);
  auto found = state_->resolve(*this, module, name, age());
  return found.version && !found.second;
}

bool CompilerWorld::has_own(const Module &module, Symbol name) const {
  if (!complete(name).ok()) return false;
  std::shared_lock hold(state_->lock);
  auto found = own(State::contents(module), name, age());
  return found && found->owner == &module;
}

CompilerWorld::Meaning CompilerWorld::meaning(const Module &module, Symbol name, WorldAge world) const {
  if (!complete(name).ok()) return {};
  std::shared_lock hold(state_->lock);
  auto found = state_->resolve(*this, module, name, world);
  if (found.second) return {Meaning::Kind::Ambiguous, nullptr, {}};
  if (!found.version) return {};
  // The code of a deferred value calls library functions, to which the program may have added methods.
  const bool is_library = found.version->begin <= library_end_ && !found.version->of_machine &&
                          !(found.version->deferred && state_->extends_library.load());
  return {is_library ? Meaning::Kind::Library : Meaning::Kind::Value, found.binding->owner,
          found.binding->name};
}

std::optional<Value> CompilerWorld::constant(const Module &module, Symbol name, WorldAge world) const {
  if (!complete(name).ok()) return std::nullopt;
  std::shared_lock hold(state_->lock);
  auto found = state_->resolve(*this, module, name, world);
  if (!found.version || found.second || !found.version->is_const) return std::nullopt;
  if (!found.version->deferred) return found.version->value;
  const DeferredValue &deferred = *found.version->deferred;
  return deferred.ready.load(std::memory_order_acquire) ? deferred.value : std::nullopt;
}

const Module *World::find_module(std::string_view full_name) const {
  std::shared_lock hold(state_->lock);
  auto found = state_->modules_by_full_name.find(full_name);
  return found == state_->modules_by_full_name.end() ? nullptr : found->second;
}

// ---- writing

static Result<void> check_name(std::string_view function, Symbol name) {
  return name ? Result<void>() : usage_error(fmt::format("World::{}: the name is empty", function));
}

Result<void> CompilerWorld::bind(Module &module, Symbol name, Binding::Version version, Span at) {
  auto &binding = module.contents_->bindings[name];
  WorldAge now = age_.load(std::memory_order_relaxed);
  if (binding && binding->owner != &module && binding->at(now))
    return input_error(fmt::format("cannot assign a value to {} in module {}: it was imported from {}",
                                   name.text(), module.full_name(), binding->owner->full_name()),
                       sources_.locate(at));
  if (!binding || binding->owner != &module) {
    binding = std::make_shared<Binding>();
    binding->owner = &module;
    binding->name = name;
  }
  if (const Binding::Version *old = binding->at(now)) {
    if (!version.deferred && !old->deferred && old->is_const == version.is_const &&
        old->value == version.value)
      return {};
    binding->versions.back().end = now + 1;
    state_->retired.fetch_add(1, std::memory_order_relaxed);
  }
  if (binding->versions.empty() && state_->defines_unknown_name()) {
    version.begin = FirstWorld;
    binding->versions.push_back(std::move(version));
    return {};
  }
  version.begin = now + 1;
  binding->versions.push_back(std::move(version));
  age_.store(now + 1, std::memory_order_release);
  state_->bindings_changed(*this, name, now + 1);
  return {};
}

Result<void> World::set_constant(Module &module, Symbol name, Value value, Span at) {
  if (!value) return usage_error(fmt::format("World::set_constant: there is no value for {}", name.text()));
  KILN_CHECK(check_name("set_constant", name));
  KILN_CHECK(compiler_world(*this).complete(name));
  std::scoped_lock hold(state_->lock);
  return compiler_world(*this).bind(module, name, {.value = std::move(value)}, at);
}

Result<void> World::set_variable(Module &module, Symbol name, Value value, Span at) {
  if (!value) return usage_error(fmt::format("World::set_variable: there is no value for {}", name.text()));
  KILN_CHECK(check_name("set_variable", name));
  KILN_CHECK(compiler_world(*this).complete(name));
  std::scoped_lock hold(state_->lock);
  auto found = module.contents_->bindings.find(name);
  if (found != module.contents_->bindings.end() && found->second->owner == &module &&
      !found->second->versions.empty() && found->second->versions.back().end == EndOfTime) {
    Binding::Version &now = found->second->versions.back();
    if (now.is_const)
      return make_error(
          ErrorCode::ErrorException,
          fmt::format("invalid redefinition of constant {}.{}", module.full_name(), name.text()),
          sources_.locate(at));
    auto edges = state_->binding_index.find(name);
    if (!now.deferred &&
        (edges == state_->binding_index.end() || state_->binding_edges[edges->second].second.empty())) {
      now.value = std::move(value);
      return {};
    }
  }
  return compiler_world(*this).bind(module, name, {.value = std::move(value), .is_const = false}, at);
}

Result<void> World::set_deferred(Module &module, Symbol name, bool is_const,
                                 std::function<Result<Value>()> evaluate) {
  return compiler_world(*this).bind_deferred(module, name, {.is_const = is_const}, std::move(evaluate));
}

Result<void> CompilerWorld::set_machine_value(Module &module, Symbol name,
                                              std::function<Result<Value>()> evaluate) {
  return bind_deferred(module, name, {.of_machine = true}, std::move(evaluate));
}

Result<void> CompilerWorld::bind_deferred(Module &module, Symbol name, Binding::Version version,
                                          std::function<Result<Value>()> evaluate) {
  KILN_CHECK(check_name("set_deferred", name));
  if (!evaluate)
    return usage_error(fmt::format("World::set_deferred: there is nothing that evaluates {}", name.text()));
  KILN_CHECK(complete(name));
  version.deferred = std::make_shared<DeferredValue>();
  version.deferred->evaluate = std::move(evaluate);
  std::scoped_lock hold(state_->lock);
  return bind(module, name, std::move(version), {});
}

static bool is_function(const Value &value) {
  const auto *type = value.type()->as<DataType>();
  return type && type->name().is_function;
}

Result<Value> World::function(Module &module, Symbol name, Span at) {
  KILN_CHECK(check_name("function", name));
  KILN_CHECK(compiler_world(*this).complete(name));
  std::unique_lock hold(state_->lock);
  if (auto binding = own(*module.contents_, name, age())) {
    const Binding::Version &version = *binding->at(age());
    Value value = version.value;
    if (auto deferred = version.deferred) {
      hold.unlock();
      KILN_TRY(value, evaluate(*deferred, *state_->evaluation, name, age_));
    }
    if (is_function(value)) return value;
    return input_error(
        fmt::format("cannot define function {}: it already has a value, {}", name.text(), spell(value)),
        sources_.locate(at));
  }
  Value made = Value::singleton(types_.new_function_type(name, module.full_name()));
  KILN_CHECK(compiler_world(*this).bind(module, name, {.value = made}, at));
  hold.unlock();
  if (&module == base_ && name.text() == bound_name(Intrinsic::ifelse))
    KILN_CHECK(define_choice(*this, made.type()));
  return made;
}

} // namespace kiln
