// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "call_plans.h"
#include "interp.h"
#include "loops.h"
#include "value_stack.h"

#include <kiln/extension/language/internal/member_loader.h>
#include <support/memory.h>
#include <support/stop_state.h>

#include <random>

namespace kiln {

/// Minimum stack left before a call, for the interpreter's frames and those of a host function. In bytes.
inline constexpr size_t min_call_stack = size_t(1) << 20;

struct Thrown {
  Value value;
  Error error;
};

struct Interpreter::State {
  CompilerWorld &world;
  Limits limits;
  uint64_t steps = 0;
  static constexpr uint64_t memory_steps = 8'192; ///< steps between two checks of memory use
  uint64_t next_memory_check = memory_steps;      ///< number of steps
  uint32_t depth = 0;
  std::mt19937_64 random{0x6b696c6e}; // reproducible until set_seed
  std::unordered_map<TypeRef, HostFunction> host_functions;
  /// World age in which the methods of each host function were looked up last.
  std::unordered_map<TypeRef, WorldAge> looked_up;
  std::unordered_map<const TypeName *, HostFunction> host_constructors;
  std::optional<Program> program; ///< none: evaluating definitions
  Symbol overlay{};               ///< World::host_overlay while a program runs
  CallPlans plans;
  ConstantNames constants;
  TypesOfTypes types_of_types;
  MadeTypes made_types;
  LoopTable loops;
  std::optional<Thrown> thrown; ///< last uncaught exception
  std::vector<Thrown> caught;   ///< exceptions that running catch blocks handle, innermost last
  uint64_t last_thrown = 0;

  /// Makes the error for a value that the program throws, and remembers the value.
  Error thrown_error(Value value, Diagnostic diagnostic) {
    diagnostic.thrown = ++last_thrown;
    Error error = std::move(diagnostic);
    thrown = Thrown{std::move(value), error};
    return error;
  }
  ArrayAdapter adapt;
  MemberLoader load_member;
  uint64_t bytes = 0; ///< memory of this evaluation's arrays

  void reset_counts() {
    steps = bytes = 0;
    next_memory_check = memory_steps;
  }
  Result<void> charge(uint64_t more) {
    bytes += more;
    if (bytes <= limits.bytes && (!program || more < large_array)) return {};
    if (program) { // a program may have freed its earlier arrays: count from 0 again
      bytes = more;
      if (fits_memory(more, limits.bytes)) return {};
    }
    return make_error(
        ErrorCode::OutOfMemoryError,
        fmt::format("the arrays of one evaluation take more than the limit of {} bytes", limits.bytes));
  }

  /// Error: InterruptException, if the program was interrupted since the last check.
  Result<void> check_interrupt() const {
    if (program && program->interrupt && StopToken::take(*program->interrupt)) [[unlikely]]
      return make_error(ErrorCode::InterruptException, "");
    return {};
  }

  /// Checks the process's memory use. Called regularly in programs, whose lists, strings and dictionaries may
  /// grow without end.
  Result<void> check_memory() {
    const uint64_t now = resident_bytes();
    if (now <= limits.bytes || now <= refused_at + large_array || fits_memory(0, limits.bytes)) {
      refused_at = std::min(refused_at, now); // memory was freed
      return {};
    }
    refused_at = now; // the program may catch the error, so fail again only after more growth
    return make_error(ErrorCode::OutOfMemoryError, fmt::format("the program uses {} bytes", now));
  }

  static constexpr uint64_t large_array = uint64_t(64) << 20;
  uint64_t refused_at = 0; ///< resident bytes when check_memory() last failed
};

struct InterpreterAccess {
  static Interpreter::State &state(Interpreter &interpreter) { return *interpreter.state_; }
};
inline Interpreter::State &state_of(Interpreter &interpreter) {
  return InterpreterAccess::state(interpreter);
}

/// Code that the interpreter runs, and that compiled code may continue.
struct Interpreter::Interpreted {
  CompiledCalls &compiled;
  const Method *method = nullptr;   ///< null: code at top level
  std::span<const Value> call = {}; ///< of the method, if compiled code may restart it
};

/// Adds constructors of exceptions that keep the arguments (exceptions.cpp).
void add_exception_constructors(Interpreter &interpreter);
/// Adds the builtins setglobal! and rethrow, which only the interpreter runs.
Result<void> add_control_library(Interpreter &interpreter);
/// Adds functions of lists and texts (lists.cpp). Called by add_host_library().
Result<void> add_list_library(Interpreter &interpreter);
/// Evaluates a foreign_call of a libm function on constants: sinf, exp, ... `as_compiled`: use the
/// single-precision function for Float32, as compiled code does.
Result<Value> call_libm(TypeContext &types, std::span<const Value> args, bool as_compiled);

} // namespace kiln
