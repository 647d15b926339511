// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grid-stride and block-stride loops. If one thread ran after the other, each element would need another
// cache line, and the loop could not be vectorised. Therefore all threads execute each iteration together,
// until the first thread has no iteration left. Such a common iteration is a region of the kernel
// (region_kernel.cpp), whose inner loop over the threads has no condition. Each thread then runs its
// remaining iterations in the original loop:
//
//   while every thread has an iteration left: (one comparison for all, across_block.h)
//     for each thread: one iteration
//   for each thread: its remaining iterations
//
// This order is allowed, since threads between barriers may run in any order.
//
// No thread may throw in a common iteration. Checks whose result is known before the iteration (bounds of
// contiguous accesses) are decided there, and removed from the iteration.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

#include <vector>

namespace kiln::native {

/// True if the kernel may have stride loops. A cheap test, which works on unsimplified IR.
bool may_have_stride_loops(llvm::Function &kernel);

/// Name of function i1 kiln.none_ended(): true if no thread of the block had ended at the start of the
/// region.
constexpr const char *NoneEnded = "kiln.none_ended";

struct StrideLoops {
  std::vector<llvm::BasicBlock *> tops; ///< all threads reach them together at each iteration's start
  /// Entries of the common iterations in which all threads take part and none ends.
  std::vector<llvm::BasicBlock *> whole;
};

/// Splits the stride loops of a kernel, in which all throwing and waiting functions are inlined. `run` runs
/// passes on it. An empty result means that there is no such loop; the caller must then discard the kernel.
StrideLoops split_stride_loops(llvm::Function &kernel,
                               llvm::function_ref<void(llvm::FunctionPassManager)> run);

/// Replaces calls of NoneEnded by tests. As uniform code, the calls were hoisted before their region's loop.
/// `ended`: address of an i32, the number of ended threads; null: no thread throws.
void lower_none_ended(llvm::Function &kernel, llvm::Value *ended);

} // namespace kiln::native
