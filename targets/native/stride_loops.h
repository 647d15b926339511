// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grid-stride and block-stride loops. Running one thread after the other would touch a cache line for each
// element, and could not be vectorised. So all threads execute an iteration together until the first thread
// has none left. That is a region of the kernel (region_kernel.cpp), whose inner loop over the threads has no
// condition. Each thread then runs its remaining iterations in the original loop:
//
//   while every thread has an iteration left: (one comparison for all, across_block.h)
//     for each thread: one iteration
//   for each thread: its remaining iterations
//
// Threads between barriers may run in any order, so that this order is allowed.
//
// No thread may throw in a common iteration. Checks that can be decided before it (bounds of contiguous
// accesses) are decided there, and removed from the iteration.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

#include <vector>

namespace kiln::native {

/// True if splitting is worth trying. Cheap; works on unsimplified IR.
bool may_have_stride_loops(llvm::Function &kernel);

/// i1 kiln.none_ended(): true if no thread of the block had ended at the start of the region.
constexpr const char *NoneEnded = "kiln.none_ended";

struct StrideLoops {
  std::vector<llvm::BasicBlock *> tops;  ///< all threads reach them together at each iteration's start
  std::vector<llvm::BasicBlock *> whole; ///< iterations in which all threads take part and none ends
};

/// Changes a kernel with all throwing and waiting functions inlined; `run` runs passes on it. An empty result
/// means that there is no such loop; the kernel must then be discarded.
StrideLoops split_stride_loops(llvm::Function &kernel,
                               llvm::function_ref<void(llvm::FunctionPassManager)> run);

/// Replaces calls of NoneEnded after they were hoisted before their region's loop, like all uniform code.
/// `ended`: address of an i32, the number of ended threads; null: no thread throws.
void lower_none_ended(llvm::Function &kernel, llvm::Value *ended);

} // namespace kiln::native
