// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Skips threads without work in a region, a part of a kernel between barriers. `if t <= d ... end` around a
// region's work leaves most threads idle. Suppose the condition compares a value that grows by one with x to
// a value that is constant in a row. Then the loop over the row runs only the threads that satisfy the
// condition. The condition itself stays in the code; lib/optimize/guards hoists it from loops in which it is
// always true.
#pragma once

#include "thread_loop.h"

#include <llvm/IR/BasicBlock.h>

#include <vector>

namespace kiln::native {

/// `blocks`: all blocks of the region. Returns true if the loop skips threads. The remaining threads satisfy
/// the condition, except after an overflow.
bool narrow_to_workers(ThreadLoop &loop, const std::vector<llvm::BasicBlock *> &blocks);

} // namespace kiln::native
