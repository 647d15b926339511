// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace kiln {

/// Splits blocks of more than 2,000 instructions. The SLP vectoriser and NVPTX's load/store vectoriser are
/// quadratic in a block's length. 20,000 lines of `y[i] = y[j]*2f0 + c` took 35 s in the first and 30 s in
/// the second. SimplifyCFG and CodeGenPrepare merge the pieces again, so that instruction selection and
/// register allocation see the original blocks.
struct SplitBlocksPass : llvm::PassInfoMixin<SplitBlocksPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace kiln
