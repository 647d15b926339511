// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "found_methods.h"
#include "interp.h"

#include <kiln/extension/language/internal/member_loader.h>
#include <support/memory.h>
#include <support/stop_state.h>

#include <random>

namespace kiln {

/// Stack that a call may take before it makes the next one: its frames and those of a host function.
inline constexpr size_t min_call_stack = size_t(1) << 20;

struct Thrown {
  Value value;
  Error error;
};

struct Interpreter::State {
  CompilerWorld &world;
  Limits limits;
  uint64_t steps = 0;
  uint32_t depth = 0;
  std::mt19937_64 random{0x6b696c6e}; // the same numbers in every run, until set_seed
  std::unordered_map<TypeRef, HostFunction> host_functions;
  std::unordered_map<TypeRef, WorldAge> asked; ///< of host functions: the world their methods are known in
  std::unordered_map<const TypeName *, HostFunction> host_constructors;
  std::optional<Program> program; ///< none: definitions are evaluated
  Symbol overlay{};               ///< World::host_overlay while a program runs
  FoundMethods found;             ///< by calls
  FoundMethods own;               ///< of host functions: the user's or a package's, or none
  std::optional<Thrown> thrown;   ///< last, and not caught yet
  std::vector<Thrown> caught;     ///< by the catch blocks that run, the innermost last
  uint64_t last_thrown = 0;

  /// The error of a value that the program throws.
  Error thrown_error(Value value, Diagnostic diagnostic) {
    diagnostic.thrown = ++last_thrown;
    Error error = std::move(diagnostic);
    thrown = Thrown{std::move(value), error};
    return error;
  }
  ArrayAdapter adapt;
  MemberLoader load_member;
  uint64_t bytes = 0; ///< that the arrays of this evaluation took

  Result<void> charge(uint64_t more) {
    bytes += more;
    if (bytes <= limits.bytes && (!program || more < large_array)) return {};
    if (program) { // what a program does not need any more does not count
      bytes = more;
      if (fits_memory(more, limits.bytes)) return {};
    }
    return make_error(
        ErrorCode::OutOfMemoryError,
        fmt::format("the arrays of one evaluation take more than the limit of {} bytes", limits.bytes));
  }

  /// Error: InterruptException, once for each interrupt of a program.
  Result<void> check_interrupt() const {
    if (program && program->interrupt && StopToken::take(*program->interrupt)) [[unlikely]]
      return make_error(ErrorCode::InterruptException, "");
    return {};
  }

  /// Of a program, now and then: lists, strings and dictionaries that grow without end.
  Result<void> check_memory() {
    const uint64_t now = resident_bytes();
    if (now <= limits.bytes || now <= refused_at + large_array || fits_memory(0, limits.bytes)) {
      refused_at = std::min(refused_at, now); // it shrank again
      return {};
    }
    refused_at = now; // what catches it may go on with what there is
    return make_error(ErrorCode::OutOfMemoryError, fmt::format("the program uses {} bytes", now));
  }

  static constexpr uint64_t large_array = uint64_t(64) << 20;
  uint64_t refused_at = 0; ///< bytes in use when check_memory failed last
};

struct InterpreterAccess {
  static Interpreter::State &state(Interpreter &interpreter) { return *interpreter.state_; }
};
inline Interpreter::State &state_of(Interpreter &interpreter) {
  return InterpreterAccess::state(interpreter);
}

/// A method of the user's or a package's for this call of a host function: it comes before that. None: the
/// host function is asked, then the library's methods.
Result<MethodMatch> own_method(Interpreter::State &s, const Value &function, std::span<const Value> args);
/// Constructors of exceptions that keep their arguments (exceptions.cpp).
void add_exception_constructors(Interpreter &interpreter);
/// setglobal!, rethrow: what statements that only the interpreter runs are lowered to.
Result<void> add_control_library(Interpreter &interpreter);
/// Lists and texts (lists.cpp): a part of add_host_library.
Result<void> add_list_library(Interpreter &interpreter);
/// foreign_call of a libm function on constants: sinf, exp, ...
/// `as_compiled`: of Float32 what the single-precision function gives.
Result<Value> call_libm(TypeContext &types, std::span<const Value> args, bool as_compiled);

} // namespace kiln
