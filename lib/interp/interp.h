// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component interp (layer 4): evaluates lowered code on values, without LLVM: top-level definitions, --arg
// expressions, macros, constants. Its header is public: kiln/extension/language/interpreter.h.
//   fold         computes one intrinsic on constant values, also for inference
//   interp       the interpreter: dispatch through the world's methods, limits on steps, depth and memory
//   method_calls plans calls by types, and runs methods; execute: evaluates statements
//   operations   structs and intrinsics
//   exceptions   exceptions as values; control: setglobal! and rethrow
//   host_arrays  host arrays, shared with programs; array, lists, array_indices: their functions
#pragma once

#include <kiln/extension/language/internal/interpreter.h>
#include <world/world.h>

namespace kiln {

/// Takes the state of the current evaluation (depth, steps, caught exceptions) out of the interpreter, so
/// that another thread can run an evaluation. Only one thread may run in the interpreter at a time.
std::shared_ptr<void> suspend_evaluation(Interpreter &interpreter);
/// Restores the state.
void resume_evaluation(Interpreter &interpreter, std::shared_ptr<void> suspended);

} // namespace kiln
