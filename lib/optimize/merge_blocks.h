// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace kiln {

/// Merges blocks that only return, or only jump to the same block, if there are more than 256 of them.
/// SimplifyCFG merges such blocks too, but compares each with all others. 20,000 lines of `x == c && return`
/// took 19 s to PTX.
struct MergeBlocksPass : llvm::PassInfoMixin<MergeBlocksPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace kiln
