// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inserts suspensions into loops that may wait for another thread's write. Component waits finds the loops.
#pragma once

#include <waits/waits.h>

#include <unordered_map>

namespace kiln::native {

/// Variables that count idle iterations, by loop header. Inner loops share the outer loop's variable, so that
/// an idle outer iteration does not reset the count.
using SpinVariables = std::unordered_map<const llvm::BasicBlock *, llvm::AllocaInst *>;

/// `latches`: latches of iterations that may be idle. `in_any_turn`: the loop also suspends after every 256th
/// iteration that is not idle.
void add_suspensions(llvm::Loop &loop, const waits::ExitSlice &slice, const waits::FunctionEffects &effects,
                     llvm::ArrayRef<llvm::BasicBlock *> latches, bool in_any_turn, SpinVariables &variables);

} // namespace kiln::native
