// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

namespace kiln {

/// Removes a redundant test from loops over Julia's `iterate`. `iterate` tests for the end and returns
/// `nothing`, and then the loop tests that result. If the first test decides the second, the pass leaves the
/// loop at the first test. Only then does LLVM find a trip count, which unrolling and vectorising need.
/// LLVM's jump threading would do the same, but skips targets with divergent branches. The pass runs after
/// loop rotation, which moves the second test to the latch, and before another rotation.
struct ExitEarlyPass : llvm::PassInfoMixin<ExitEarlyPass> {
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &analyses,
                              llvm::LoopStandardAnalysisResults &results, llvm::LPMUpdater &updater);
};

} // namespace kiln
