// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builtins that only the interpreter runs: setglobal! and rethrow.
#include "state.h"

#include <utility>

namespace kiln {

namespace {

struct Suspended {
  uint64_t steps, bytes;
  uint32_t depth;
  std::optional<Thrown> thrown;
  std::vector<Thrown> caught;
};

} // namespace

std::shared_ptr<void> suspend_evaluation(Interpreter &interpreter) {
  Interpreter::State &s = state_of(interpreter);
  s.next_memory_check = Interpreter::State::memory_steps;
  return std::make_shared<Suspended>(std::exchange(s.steps, 0), std::exchange(s.bytes, 0),
                                     std::exchange(s.depth, 0), std::exchange(s.thrown, std::nullopt),
                                     std::exchange(s.caught, {}));
}

void resume_evaluation(Interpreter &interpreter, std::shared_ptr<void> suspended) {
  Interpreter::State &s = state_of(interpreter);
  Suspended &own = *static_cast<Suspended *>(suspended.get());
  s.steps = s.next_memory_check = own.steps, s.bytes = own.bytes, s.depth = own.depth;
  s.thrown = std::move(own.thrown);
  s.caught = std::move(own.caught);
}

Result<void> add_control_library(Interpreter &interpreter) {
  CompilerWorld &world = compiler_world(interpreter.world());
  using Args = std::span<const Value>;
  KILN_CHECK(interpreter.add_host_function(
      *world.base(), "setglobal!", [&world](Interpreter &, Args args) -> Result<Value> {
        const Module *module = args.size() == 3 ? args[0].as_module() : nullptr;
        if (!module || !args[1].as_symbol()) return Value();
        Module *writable = world.module(module->name(), const_cast<Module *>(module->parent()));
        KILN_CHECK(world.set_variable(*writable, args[1].as_symbol(), args[2], {}));
        return args[2];
      }));
  KILN_CHECK(
      interpreter.add_host_function(*world.base(), "rethrow", [](Interpreter &i, Args args) -> Result<Value> {
        if (args.size() == 1) return i.raise(args[0]);
        if (!args.empty()) return Value();
        auto &caught = state_of(i).caught;
        if (caught.empty())
          return make_error(ErrorCode::ErrorException, "rethrow() not allowed outside a catch block");
        state_of(i).thrown = caught.back();
        return caught.back().error;
      }));
  return {};
}

} // namespace kiln
