// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "optimize.h"

#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>

#include <optional>

namespace kiln {

/// Unrolls loops with a constant trip count whose counter indexes a small array of a thread, such as a tuple
/// with a row of a layer norm. After unrolling the array is in registers; in local memory such a kernel is
/// ten times slower. LLVM's own limit, 300 instructions after unrolling, ignores this. If the index depends
/// on several loops, either all of them are unrolled, or none. Used for targets whose registers cannot be
/// indexed. Limits: docs/design/emission.md.
class UnrollIndexedLoopsPass : public llvm::PassInfoMixin<UnrollIndexedLoopsPass> {
public:
  /// `opt_level`: also unrolls the marked loops at this level. Not set: only marks loops, which a later LLVM
  /// pass unrolls.
  explicit UnrollIndexedLoopsPass(std::optional<int> opt_level = std::nullopt) {
    if (opt_level)
      unroll_.emplace(llvm::createFunctionToLoopPassAdaptor(llvm::LoopFullUnrollPass(*opt_level)));
  }
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

private:
  std::optional<llvm::FunctionToLoopPassAdaptor> unroll_;
};

} // namespace kiln
