// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces kiln.debug_level() by the job's debug level.
#include "rewrites.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace kiln::rewrites {

Result<void> debug_level(const Target &target, const CompilerConfig &config, llvm::Module &module) {
  for (llvm::CallInst *call : calls_of(module, "kiln.debug_level")) {
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), config.debug_level));
    call->eraseFromParent();
  }
  return {};
}

} // namespace kiln::rewrites
