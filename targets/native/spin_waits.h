// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Suspensions of loops that may wait for another thread's write (found by spin_waits.cpp).
#pragma once

#include "exit_slice.h"

#include <unordered_map>

namespace kiln::native {

/// Counter of idle iterations for each loop with suspensions, by its header. Inner loops share the outer
/// loop's counter, so that an idle outer iteration does not reset it.
using SpinVariables = std::unordered_map<const llvm::BasicBlock *, llvm::AllocaInst *>;

/// `in_any_turn`: also suspends after every 256th iteration that is not idle.
void add_suspensions(llvm::Loop &loop, const ExitSlice &slice, const FunctionEffects &effects,
                     llvm::ArrayRef<llvm::BasicBlock *> latches, bool in_any_turn, SpinVariables &variables);

} // namespace kiln::native
