// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace kiln {

/// Versions innermost loops: the new version omits conditions that hold in all iterations, such as `i <=
/// length(y)` in a loop over a block's threads. Vectorised, the guarded work would be masked, and a check
/// that throws would prevent vectorising. Before the loop, the condition is evaluated for the first and the
/// last iteration in integers that do not wrap. If it is not known to hold, the original loop runs.
struct VersionGuardsPass : llvm::PassInfoMixin<VersionGuardsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace kiln
