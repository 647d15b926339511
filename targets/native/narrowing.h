// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Skips threads without work in a region. `if t <= d ... end` between barriers leaves most threads idle. The
// condition must compare a value that grows with x by one to a value that is constant in a row. Then the loop
// over the row runs only the threads that satisfy it. The condition itself stays and decides;
// lib/optimize/guards hoists it from the loop where it always holds.
#pragma once

#include "thread_loop.h"

#include <llvm/IR/BasicBlock.h>

#include <vector>

namespace kiln::native {

/// `blocks`: all blocks of the region. Returns true if threads were skipped: the remaining ones satisfy the
/// condition, except after an overflow.
bool narrow_to_workers(ThreadLoop &loop, const std::vector<llvm::BasicBlock *> &blocks);

} // namespace kiln::native
