// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interchanges loops within a thread's work with the loop over the threads. LLVM vectorises innermost loops
// only. Therefore all threads of a block run such a loop together, with the loop over the threads inside
// (region_kernel.cpp):
//   - a condition around all of the work (`if i <= n ... end`) is removed, and then guards each region;
//   - a loop that threads leave at different times continues until all have left it, and the others idle.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

#include <vector>

namespace kiln::native {

struct InnerLoops {
  std::vector<llvm::BasicBlock *> headers; ///< headers of the loops that all threads run together
  std::vector<llvm::BasicBlock *> whole; ///< entries of regions that all threads of the block run to the end
  bool long_rows = false;                ///< a row has many threads: let LLVM choose the interleave count
  /// Value of type i1: the thread has work after the first region; null: all threads have.
  llvm::Value *guard = nullptr;
};

/// Name of function i1 kiln.any(i1): true if the condition holds in one of the threads that reach the call.
constexpr const char *AnyThread = "kiln.any";
bool is_any_thread(const llvm::Value *value);

/// Changes a kernel that neither waits nor throws. `run` runs passes on the kernel. An empty result means
/// that no inner loop is worth the change; the caller must then discard the kernel.
InnerLoops run_loops_together(llvm::Function &kernel,
                              llvm::function_ref<void(llvm::FunctionPassManager)> run);

} // namespace kiln::native
