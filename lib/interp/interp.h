// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component interp (layer 4): evaluates lowered code on values, without LLVM: top-level definitions, --arg
// expressions, macros, constants. Its header is public: kiln/extension/language/interpreter.h.
//   fold         one intrinsic on constant values; inference folds with it too
//   interp       the interpreter: dispatches through the world's methods, limited in steps, depth and memory
//   method_calls a call once its method is known
//   operations   structs and intrinsics
//   exceptions   exceptions as values; control: what try and globals are lowered to
//   host_arrays  host arrays, shared with programs; array, lists, array_indices: their functions
#pragma once

#include <kiln/extension/language/internal/interpreter.h>
#include <world/world.h>

namespace kiln {

/// Takes an evaluation's own state (depth, steps, exceptions that are being handled) out of the interpreter,
/// so that another thread's evaluation may run before it goes on. One thread is in the interpreter at a time.
std::shared_ptr<void> suspend_evaluation(Interpreter &interpreter);
/// Puts it back.
void resume_evaluation(Interpreter &interpreter, std::shared_ptr<void> suspended);

} // namespace kiln
