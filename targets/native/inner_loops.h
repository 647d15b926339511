// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interchanges loops within a thread's work with the loop over the threads. LLVM vectorises innermost loops
// only, so that all threads of a block run such a loop together, with the loop over the threads inside
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
  std::vector<llvm::BasicBlock *> headers; ///< of loops that all threads run together
  std::vector<llvm::BasicBlock *> whole; ///< regions that all threads of the block run, and no thread ends in
  bool long_rows = false;                ///< rows of many threads: LLVM chooses the interleave count
  llvm::Value *guard = nullptr;          ///< i1: the thread has work after the first region; null: always
};

/// i1 kiln.any(i1): true if the condition holds in one of the threads that reach the call.
constexpr const char *AnyThread = "kiln.any";
bool is_any_thread(const llvm::Value *value);

/// Changes a kernel that neither waits nor throws; `run` runs passes on it. An empty result means that no
/// inner loop is worth it; the kernel must then be discarded.
InnerLoops run_loops_together(llvm::Function &kernel,
                              llvm::function_ref<void(llvm::FunctionPassManager)> run);

} // namespace kiln::native
