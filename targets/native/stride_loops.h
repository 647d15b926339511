// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in which the threads go through arrays side by side, each by strides of the whole grid or block. One thread after
// the other would touch a cache line for each element, and nothing could be vectorised. So all threads take one turn
// together, as long as none of them has come to its end: a region of the kernel (region_kernel.cpp) whose loop over the
// threads is the inner one, without a condition. What is left over each thread does in the loop as it was:
//
//   while every thread has a turn left: (one comparison for all, across_block.h)
//     for each thread: one turn
//   for each thread: the turns that it has left
//
// Threads between barriers may run in any order, so this is one of the orders.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

#include <vector>

namespace kiln::native {

/// Whether it is worth trying: cheap, on IR that has not been simplified.
bool may_have_stride_loops(llvm::Function &kernel);

/// Changes the kernel, in which what throws or waits is inlined; `run` runs passes on it. The blocks that all threads come to
/// together at the beginning of each turn; none, and the kernel is of no use any more, where there is no such loop.
std::vector<llvm::BasicBlock *> split_stride_loops(llvm::Function &kernel, llvm::function_ref<void(llvm::FunctionPassManager)> run);

} // namespace kiln::native
