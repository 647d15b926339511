// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace kiln {

/// Copies innermost loops without the conditions that hold in all iterations, such as `i <= length(y)` in a
/// loop over a block's threads. Without the copy, vectorised code would mask the guarded work, and a check
/// that throws would prevent vectorising. Before the loop, each condition is evaluated for the first and the
/// last iteration, in integers that do not wrap. If one does not hold, the original loop runs.
struct VersionGuardsPass : llvm::PassInfoMixin<VersionGuardsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace kiln
