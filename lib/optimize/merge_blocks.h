// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace kiln {

/// Makes one block of very many that only return, or only jump to one block. SimplifyCFG does this too, but
/// looks at all that already lead to that block for each (20,000 lines of `x == c && return` took 19 s to
/// PTX). Up to 256 are left to it.
struct MergeBlocksPass : llvm::PassInfoMixin<MergeBlocksPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace kiln
