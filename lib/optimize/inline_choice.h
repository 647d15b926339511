// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which internal functions are inlined. Emission has already inlined small callees. The remaining
// calls are decided here once, bottom up, by size. LLVM's inliner would cost more than all other passes of a
// small kernel.
#pragma once

#include <llvm/IR/Module.h>

namespace kiln {

/// Adds the attribute alwaysinline to functions that are small or called once, except for noinline, recursive
/// and cold functions. `limit`: TargetCapabilities::inline_limit.
void choose_inlining(uint64_t limit, llvm::Module &module);

} // namespace kiln
