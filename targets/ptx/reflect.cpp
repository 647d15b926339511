// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's own pass leaves __CUDA_PREC_SQRT at 0, which silently makes sqrt approximate; so Kiln answers itself.
#include "parts.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace kiln::ptx {

ReflectValues reflect_values(const TargetSpec &spec) {
  return {spec.sm * 10, spec.fast_math, !spec.fast_math, !spec.fast_math};
}

void resolve_reflect(llvm::Function &function, const ReflectValues &values) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || (callee->getName() != "__nvvm_reflect" && callee->getName() != "__nvvm_reflect_ocl"))
      continue;
    llvm::StringRef question;
    if (call->arg_size() == 0 || !llvm::getConstantStringInfo(call->getArgOperand(0), question))
      continue; // validation reports it as an unknown function
    int answer = 0;
    if (question == "__CUDA_ARCH")
      answer = values.cuda_arch;
    else if (question == "__CUDA_FTZ")
      answer = values.flush_denormals;
    else if (question == "__CUDA_PREC_SQRT")
      answer = values.precise_sqrt;
    else if (question == "__CUDA_PREC_DIV")
      answer = values.precise_div;
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), answer));
    call->eraseFromParent();
  }
}

} // namespace kiln::ptx
