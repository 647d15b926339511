// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which internal functions are inlined. Emission has already inlined what is small; here the rest is decided
// bottom up, once, from sizes: LLVM's inliner would cost more than all the other passes of a small kernel
// together.
#pragma once

#include <llvm/IR/Module.h>

namespace kiln {

/// Adds alwaysinline to functions that are called once or are small. Functions that are marked noinline,
/// recursive or cold stay. `limit`: TargetCapabilities::inline_limit.
void choose_inlining(uint64_t limit, llvm::Module &module);

} // namespace kiln
