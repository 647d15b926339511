// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inlining decisions for internal functions. Emission has inlined small callees. The rest is decided here
// once, bottom up, from sizes: LLVM's inliner would cost more than all other passes of a small kernel.
#pragma once

#include <llvm/IR/Module.h>

namespace kiln {

/// Adds alwaysinline to functions that are small or called once, except noinline, recursive and cold ones.
/// `limit`: TargetCapabilities::inline_limit.
void choose_inlining(uint64_t limit, llvm::Module &module);

} // namespace kiln
