// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets up the initial World: root modules, built-in types and intrinsics. Makes method instances.
#include "world.h"

#include "state.h"

#include <support/exceptions.h>

namespace kiln {

Dependent::~Dependent() = default;

ModuleContents &World::State::contents(const Module &module) { return *module.contents_; }

World::World(TypeContext &types, SourceMap &sources)
    : types_(types), sources_(sources), state_(std::make_unique<State>()) {
  auto root = [&](std::string_view name) { return state_->new_module(types.symbol(name), nullptr); };
  core_ = root("Core");
  base_ = root("Base");
  main_ = root("Main");
  core_->contents_->uses_base = base_->contents_->uses_base = false;
  Module *intrinsics = state_->new_module(types.symbol("Intrinsics"), core_);

  // Initial bindings are valid in every world.
  auto bind = [&](Module &module, Symbol name, Value value) {
    auto binding = std::make_shared<Binding>();
    binding->owner = &module;
    binding->name = name;
    binding->versions.push_back({.value = std::move(value)});
    module.contents_->bindings[name] = std::move(binding);
  };
  for (Module *module : {core_, base_, main_, intrinsics})
    bind(*core_, module->name(), Value::module(types, module));
  bind(*core_, types.symbol("nothing"), types.nothing());
  for (auto &[name, type] : types.builtin_bindings()) bind(*core_, name, Value::type_value(types, type));
  for (size_t i = 0; i < size_t(Intrinsic::Count); ++i) {
    Symbol name = types.symbol(bound_name(Intrinsic(i)));
    TypeRef type = types.new_function_type(name, "Core");
    Value value = Value::singleton(type);
    state_->intrinsic_values.push_back(value);
    state_->intrinsic_of.emplace(type, Intrinsic(i));
    bind(*core_, name, value);
    bind(*intrinsics, name, value);
  }
}

World::~World() = default;

void CompilerWorld::set_array_policy(ArrayPolicy policy) { state_->callees.array_policy = policy; }

std::optional<Intrinsic> World::intrinsic(TypeRef function_type) const {
  auto found = state_->intrinsic_of.find(function_type);
  return found == state_->intrinsic_of.end() ? std::nullopt : std::optional(found->second);
}

Value World::intrinsic_value(Intrinsic intrinsic) const {
  return size_t(intrinsic) < state_->intrinsic_values.size() ? state_->intrinsic_values[size_t(intrinsic)]
                                                             : Value();
}

Result<const Method *> CompilerWorld::expanded(const Method &method, TypeRef arguments,
                                               std::span<const TypeRef> static_params) {
  if (!method.generate) return &method;
  std::scoped_lock hold(*state_->evaluation);
  State::InstanceKey key{&method, arguments};
  if (auto found = state_->expansions.find(key); found != state_->expansions.end()) {
    if (!found->second)
      return input_error(
          fmt::format("the generator of {} needs the code that it makes itself", method.name.text()),
          locate(method.at));
    return found->second.get();
  }
  state_->expansions[key] = nullptr;
  Result<CodeInfo> code =
      call_embedder([&] { return fmt::format("the generator of {}", method.name.text()); },
                    [&] { return method.generate(arguments, static_params); });
  if (!code.ok()) {
    state_->expansions.erase(key);
    return code.take_error();
  }
  auto made = std::make_unique<Method>();
  made->name = method.name;
  made->module = method.module;
  made->signature = method.signature;
  made->static_params = method.static_params;
  made->unbound_params = method.unbound_params;
  made->argument_names = method.argument_names;
  made->nargs = method.nargs;
  made->is_vararg = method.is_vararg;
  made->at = method.at;
  made->hints = method.hints;
  made->overlay = method.overlay;
  made->begin = method.begin;
  made->lower = [code = std::make_shared<CodeInfo>(std::move(*code))]() -> Result<CodeInfo> {
    return std::move(*code);
  };
  State::adopt(*this, *made);
  return (state_->expansions[key] = std::move(made)).get();
}

std::optional<Fingerprint> CompilerWorld::generator_inputs(const Method &method, TypeRef arguments) {
  std::scoped_lock hold(*state_->evaluation);
  return method.generator_inputs ? method.generator_inputs(arguments) : std::nullopt;
}

const MethodInstance *CompilerWorld::instance(const Method &method, TypeRef arguments,
                                              std::vector<TypeRef> static_params) {
  std::scoped_lock hold(state_->instance_lock);
  auto &found = state_->instances[{&method, arguments}];
  if (!found)
    found = std::make_unique<MethodInstance>(MethodInstance{&method, arguments, std::move(static_params)});
  return found.get();
}

} // namespace kiln
