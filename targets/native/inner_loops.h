// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops within a thread's work stand in the way of vectorising across threads: LLVM vectorises innermost
// loops. So they are made ones that all threads of the block run together, with the loop over the threads
// inside (region_kernel.cpp):
//   - a condition around all the work (`if i <= n ... end`) is taken out; it then guards each region;
//   - a loop whose threads leave it at different times goes on while one of them has not left, and the others
//   idle in it.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

#include <vector>

namespace kiln::native {

struct InnerLoops {
  std::vector<llvm::BasicBlock *> headers; ///< of loops that all threads run together
  std::vector<llvm::BasicBlock *>
      whole;                    ///< regions that all threads of the block run, and in which none ends
  bool long_rows = false;       ///< rounds of many threads: LLVM decides how many vectors an iteration takes
  llvm::Value *guard = nullptr; ///< i1: the thread has work at all, behind the first region; null: it has
};

/// i1 kiln.any(i1): whether it holds for one of the threads that come to it.
constexpr const char *AnyThread = "kiln.any";
bool is_any_thread(const llvm::Value *value);

/// Changes the kernel, which neither waits nor throws; `run` runs passes on it. Nothing in the result where
/// it has no inner loop that is worth it: then the kernel is of no use any more.
InnerLoops run_loops_together(llvm::Function &kernel,
                              llvm::function_ref<void(llvm::FunctionPassManager)> run);

} // namespace kiln::native
