// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace kiln {

/// Divides blocks of more than 2,000 instructions. The SLP vectoriser and NVPTX's vectoriser of loads and
/// stores take time that is quadratic in a block's length: 20,000 lines of `y[i] = y[j]*2f0 + c` took 35 s in
/// the one and 30 s in the other. SimplifyCFG and CodeGenPrepare put the pieces together again, so that
/// instruction selection and register allocation see what they saw before.
struct SplitBlocksPass : llvm::PassInfoMixin<SplitBlocksPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace kiln
