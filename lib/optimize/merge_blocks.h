// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace kiln {

/// Merges large numbers of blocks that only return, or only jump to one block. SimplifyCFG does this too, but
/// compares each with all previous ones (20,000 lines of `x == c && return` took 19 s to PTX). Up to 256 are
/// left to it.
struct MergeBlocksPass : llvm::PassInfoMixin<MergeBlocksPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace kiln
