// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in which the threads go through arrays side by side, each by strides of the whole grid or block. One
// thread after the other would touch a cache line for each element, and nothing could be vectorised. So all
// threads take one turn together, as long as none of them has come to its end: a region of the kernel
// (region_kernel.cpp) whose loop over the threads is the inner one, without a condition. What is left over
// each thread does in the loop as it was:
//
//   while every thread has a turn left: (one comparison for all, across_block.h)
//     for each thread: one turn
//   for each thread: the turns that it has left
//
// Threads between barriers may run in any order, so this is one of the orders.
//
// A turn in which a thread would throw is none that all take: what checks can be decided in front of it
// (bounds of what the threads access side by side) are, and the turn has none of them left.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

#include <vector>

namespace kiln::native {

/// Whether it is worth trying: cheap, on IR that has not been simplified.
bool may_have_stride_loops(llvm::Function &kernel);

/// i1 kiln.none_ended(): whether all threads of the block are still there, at the beginning of a region.
constexpr const char *NoneEnded = "kiln.none_ended";

struct StrideLoops {
  std::vector<llvm::BasicBlock *> tops; ///< all threads come to them together at the beginning of each turn
  std::vector<llvm::BasicBlock *>
      whole; ///< turns that begin while no thread has ended, and in which none does
};

/// Changes the kernel, in which what throws or waits is inlined; `run` runs passes on it. Nothing in the
/// result, and the kernel is of no use any more, where there is no such loop.
StrideLoops split_stride_loops(llvm::Function &kernel,
                               llvm::function_ref<void(llvm::FunctionPassManager)> run);

/// Replaces what asks NoneEnded, once it stands in front of its region's loop as all that is uniform. `ended`
/// is the address of an i32, how many have ended; null where no thread throws.
void answer_none_ended(llvm::Function &kernel, llvm::Value *ended);

} // namespace kiln::native
