// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

namespace kiln {

/// A loop that Julia's `iterate` drives asks twice whether to go on: `iterate` itself, which then gives
/// `nothing`, and the loop behind it, which looks at what `iterate` gave. Where the first answer implies the
/// second, this pass leaves the loop at the first. Only then has the loop a trip count, which unrolling and
/// vectorising need. LLVM's jump threading would do it, but leaves targets with divergent branches alone.
/// Runs behind loop rotation, which brings the second question to the latch, and before another one.
struct ExitEarlyPass : llvm::PassInfoMixin<ExitEarlyPass> {
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &analyses,
                              llvm::LoopStandardAnalysisResults &results, llvm::LPMUpdater &updater);
};

} // namespace kiln
