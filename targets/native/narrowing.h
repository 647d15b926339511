// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `if t <= d ... end` between barriers leaves most threads without work. Where such a condition compares a
// value that grows with x by one to one that is the same in a row, the loop over the row runs only those for
// which it holds. The condition itself stays: it is what decides, and lib/optimize/guards takes it out of the
// loop where it holds throughout.
#pragma once

#include "thread_loop.h"

#include <llvm/IR/BasicBlock.h>

#include <vector>

namespace kiln::native {

/// `blocks` are all of the region. Whether threads are left out: then those in the loop work, but for an
/// overflow.
bool narrow_to_workers(ThreadLoop &loop, const std::vector<llvm::BasicBlock *> &blocks);

} // namespace kiln::native
