// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "optimize.h"

#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>

#include <optional>

namespace kiln {

/// Unrolls loops with a constant trip count whose counter indexes a small array of a thread. An example is a
/// tuple with a row of a layer norm. After unrolling the array lives in registers; in local memory the same
/// kernel is ten times slower. LLVM's own limit, 300 instructions after unrolling, ignores this. Either all
/// loops of a nest that the index depends on are unrolled, or none. For targets whose registers are not
/// addressable. Limits: docs/design/emission.md.
class UnrollIndexedLoopsPass : public llvm::PassInfoMixin<UnrollIndexedLoopsPass> {
public:
  /// Without a level, only marks loops for LLVM's later unroll pass.
  explicit UnrollIndexedLoopsPass(std::optional<int> opt_level = std::nullopt) {
    if (opt_level)
      unroll_.emplace(llvm::createFunctionToLoopPassAdaptor(llvm::LoopFullUnrollPass(*opt_level)));
  }
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

private:
  std::optional<llvm::FunctionToLoopPassAdaptor> unroll_;
};

} // namespace kiln
