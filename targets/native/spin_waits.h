// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Suspensions of loops that may wait for another thread's write (spin_waits.cpp finds them).
#pragma once

#include "exit_slice.h"

#include <unordered_map>

namespace kiln::native {

/// The count of idle turns of each loop that has suspensions, by its header. Loops within such a loop share
/// its count: an idle turn of the outer one does not begin anew.
using SpinVariables = std::unordered_map<const llvm::BasicBlock *, llvm::AllocaInst *>;

/// `in_any_turn`: turns that are not idle suspend too, every so many.
void add_suspensions(llvm::Loop &loop, const ExitSlice &slice, const FunctionEffects &effects,
                     llvm::ArrayRef<llvm::BasicBlock *> latches, bool in_any_turn, SpinVariables &variables);

} // namespace kiln::native
