// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "optimize.h"

#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>

#include <optional>

namespace kiln {

/// Unrolls loops with a constant trip count whose counter indexes a small array of the
/// thread's own, such as the tuple in which a layer norm keeps a row: unrolled, the array ends in registers;
/// else it lies in local memory, where the same kernel is ten times slower. LLVM's own limit, 300
/// instructions behind unrolling, knows nothing of that. All loops of a nest that the index depends on are
/// asked for, or none. For targets whose registers have no addresses; docs/design/emission.md has the
/// limits.
class UnrollIndexedLoopsPass : public llvm::PassInfoMixin<UnrollIndexedLoopsPass> {
public:
  /// Without a level the loops are only marked for LLVM's pass, which has yet to come.
  explicit UnrollIndexedLoopsPass(std::optional<int> opt_level = std::nullopt) {
    if (opt_level)
      unroll_.emplace(llvm::createFunctionToLoopPassAdaptor(llvm::LoopFullUnrollPass(*opt_level)));
  }
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

private:
  std::optional<llvm::FunctionToLoopPassAdaptor> unroll_;
};

} // namespace kiln
