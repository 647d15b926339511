// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace kiln {

/// Innermost loops get a version without the conditions that hold in all iterations, such as `i <= length(y)`
/// in a loop over a block's threads: vectorised, the guarded work would be masked, and a check that throws
/// would keep the loop from being vectorised at all. Before the loop the condition is evaluated for the first
/// and for the last iteration, in integers that do not wrap; a loop for which it is not known to hold runs as
/// it was.
struct VersionGuardsPass : llvm::PassInfoMixin<VersionGuardsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace kiln
