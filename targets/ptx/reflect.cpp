// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces calls of __nvvm_reflect by constants, in place of LLVM's own pass. That pass sets __CUDA_PREC_SQRT
// to 0, which makes sqrt approximate without a warning.
#include "architectures.h"
#include "passes.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

namespace kiln::ptx {

ReflectValues reflect_values(const TargetSpec &spec) {
  const PtxOptions &options = spec.get<PtxOptions>();
  return {.cuda_arch = options.sm * 10,
          .specific = options.arch_specific ? options.sm * 10 : 0,
          .family = options.arch_specific || options.family_specific ? options.sm * 10 : 0,
          .ptx_isa = isa_of(options),
          .flush_denormals = spec.fast_math,
          .precise_sqrt = !spec.fast_math,
          .precise_div = !spec.fast_math};
}

/// Replaces an instruction by a constant, and folds its users as far as possible.
static void replace(llvm::Instruction &first, llvm::Constant *value) {
  llvm::SmallVector<std::pair<llvm::Instruction *, llvm::Constant *>, 8> work{{&first, value}};
  const llvm::DataLayout &layout = first.getDataLayout();
  while (!work.empty()) {
    auto [instruction, constant] = work.pop_back_val();
    llvm::SmallSetVector<llvm::Instruction *, 8> users;
    for (llvm::User *user : instruction->users()) users.insert(llvm::cast<llvm::Instruction>(user));
    instruction->replaceAllUsesWith(constant);
    instruction->eraseFromParent();
    for (llvm::Instruction *user : users)
      if (llvm::Constant *folded =
              user->isTerminator() ? nullptr : llvm::ConstantFoldInstruction(user, layout))
        work.emplace_back(user, folded);
  }
}

void resolve_reflect(llvm::Function &function, const ReflectValues &values) {
  std::vector<llvm::CallInst *> calls;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    if (callee && (callee->getName() == "__nvvm_reflect" || callee->getName() == "__nvvm_reflect_ocl"))
      calls.push_back(call);
  }
  bool replaced = false;
  for (llvm::CallInst *call : calls) {
    llvm::StringRef question;
    if (call->arg_size() == 0 || !llvm::getConstantStringInfo(call->getArgOperand(0), question))
      continue; // validation reports the call as one of an unknown function
    int answer = 0;
    if (question == "__CUDA_ARCH")
      answer = values.cuda_arch;
    else if (question == "__CUDA_ARCH_SPECIFIC__") // macros that nvcc defines; 0: undefined
      answer = values.specific;
    else if (question == "__CUDA_ARCH_FAMILY_SPECIFIC__")
      answer = values.family;
    else if (question == "__KILN_PTX_ISA") // Kiln's own
      answer = values.ptx_isa;
    else if (question.consume_front("__CUDA_ARCH_FEAT_SM") && question.consume_back("_ALL"))
      answer = values.specific && std::to_string(values.specific / 10) == question;
    else if (question == "__CUDA_FTZ")
      answer = values.flush_denormals;
    else if (question == "__CUDA_PREC_SQRT")
      answer = values.precise_sqrt;
    else if (question == "__CUDA_PREC_DIV")
      answer = values.precise_div;
    replace(*call, llvm::ConstantInt::get(call->getType(), answer));
    replaced = true;
  }
  // Remove dead branches also at -O0: instruction selection fails for instructions of other architectures.
  if (!replaced) return;
  for (llvm::BasicBlock &block : function)
    llvm::ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
  llvm::removeUnreachableBlocks(function);
}

} // namespace kiln::ptx
