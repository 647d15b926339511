// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace kiln {

/// Folds branches on comparisons of a value with a constant that the branches above them decide: a bounds
/// check of `y[3]` behind one of `y[7]`. SimplifyCFG does this too, but looks at the block right above only,
/// and sees it when that has become one with its own: straight-line code of n checks took it up to n walks
/// through the function (8,000 lines: 5 s). One walk down the dominator tree, in time linear in the function.
struct FoldImpliedConditionsPass : llvm::PassInfoMixin<FoldImpliedConditionsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace kiln
