// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace kiln {

/// Folds branches on comparisons of a value with a constant that dominating branches imply: a bounds check of
/// `y[3]` after one of `y[7]`. SimplifyCFG folds too, but only by the direct predecessor, after it has been
/// merged with the block: straight-line code of n checks took up to n walks through the function (8,000
/// lines: 5 s). This pass walks the dominator tree once, in time linear in the function.
struct FoldImpliedConditionsPass : llvm::PassInfoMixin<FoldImpliedConditionsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace kiln
