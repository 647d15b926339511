// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace kiln {

/// Folds branches that compare a value with a constant, if dominating branches imply the result: a bounds
/// check of `y[3]` after one of `y[7]`. SimplifyCFG folds such branches too, but only by the direct
/// predecessor, and after merging the blocks. Straight-line code of n checks took up to n walks through the
/// function (8,000 lines: 5 s). This pass walks the dominator tree once, in time linear in the function's
/// size.
struct FoldImpliedConditionsPass : llvm::PassInfoMixin<FoldImpliedConditionsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace kiln
