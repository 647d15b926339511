// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component interp (layer 4): evaluates lowered code on values, without LLVM: top-level definitions, --arg
// expressions, macros, constants. Its header is public: kiln/extension/language/interpreter.h.
//   fold         computes one intrinsic on constant values, also for inference
//   interp       the interpreter: dispatch through the world's methods, limits on steps, depth and memory
//   method_calls plans calls by types, and runs methods; execute: evaluates statements
//   loops        counts rounds of loops, to find those that compiled code should continue
//   operations   structs and intrinsics
//   exceptions   exceptions as values; control: setglobal! and rethrow
//   host_arrays  host arrays, shared with programs; array, lists, array_indices: their functions
#pragma once

#include <kiln/extension/language/internal/interpreter.h>
#include <lowered/lowered.h>
#include <world/world.h>

namespace kiln {

/// A loop of an interpreted activation, at the start of a round.
struct RunningLoop {
  const Method *method = nullptr; ///< null: code at top level
  const CodeInfo &code;
  LoopRange range;
  std::span<const TypeRef> static_params;
  std::vector<uint32_t> handlers;  ///< targets of the activation's try blocks
  std::span<Value> slots, results; ///< variables, and results of statements
  uint64_t rounds = 0;             ///< rounds since the last call for this loop, with those of inner loops
  uint32_t next = 0;               ///< set by continue_loop: the statement after the loop
};

/// Takes the state of the current evaluation (depth, steps, caught exceptions) out of the interpreter, so
/// that another thread can run an evaluation. Only one thread may run in the interpreter at a time.
std::shared_ptr<void> suspend_evaluation(Interpreter &interpreter);
/// Restores the state.
void resume_evaluation(Interpreter &interpreter, std::shared_ptr<void> suspended);

} // namespace kiln
