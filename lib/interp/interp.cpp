// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fold.h"
#include "host_arrays.h"
#include "state.h"

#include <support/count.h>
#include <support/exceptions.h>

namespace kiln {

Interpreter::Interpreter(World &world, Limits limits)
    : state_(std::make_unique<State>(State{.world = compiler_world(world), .limits = limits})) {}
Interpreter::~Interpreter() = default;
World &Interpreter::world() { return state_->world; }
void Interpreter::set_seed(uint64_t seed) { state_->random.seed(seed); }
void Interpreter::set_array_adapter(ArrayAdapter adapter) { state_->adapt = std::move(adapter); }
void set_member_loader(Interpreter &interpreter, MemberLoader loader) {
  state_of(interpreter).load_member = std::move(loader);
}

Result<void> Interpreter::add_host_function(Module &module, std::string_view name, HostFunction function) {
  if (!function) return usage_error(fmt::format("Interpreter::add_host_function: {} is empty", name));
  TypeContext &types = state_->world.types();
  KILN_TRY(Value value, state_->world.function(module, types.symbol(name), {}));
  HostFunction &bound = state_->host_functions[value.type()];
  if (bound) // newest first
    function = [newer = std::move(function), older = std::move(bound)](Interpreter &i,
                                                                       std::span<const Value> args) {
      Result<Value> result = newer(i, args);
      if (!result.ok() || *result) return result;
      return older(i, args);
    };
  bound = std::move(function);
  state_->plans.clear();
  return {};
}

bool Interpreter::has_host_function(TypeRef function) const {
  return state_->host_functions.contains(function);
}

void Interpreter::add_host_constructor(const TypeName &type, HostFunction function) {
  state_->host_constructors[&type] = std::move(function);
  state_->plans.clear();
}

void Interpreter::begin_program(Program program) {
  state_->limits = program.limits;
  state_->program = program;
  state_->plans.clear(); // the program's overlay may choose other methods
  state_->overlay = state_->world.host_overlay();
  add_exception_constructors(*this);
}

bool Interpreter::runs_program() const { return state_->program.has_value(); }
void Interpreter::set_limits(const Limits &limits) { state_->limits = limits; }

Result<Value> Interpreter::convert(TypeRef type, const Value &value) {
  if (!type || !value) return usage_error("Interpreter::convert: there is no type, or no value");
  TypeContext &types = state_->world.types();
  if (is_subtype(types, types.type_of(value), type)) return value;
  Value args[] = {Value::type_value(types, type), value};
  return call_base(*this, "convert", args);
}

} // namespace kiln
