// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inlines the function that reports exceptions: once into each function that throws. nvJitLink assembles a
// text as relocatable code. There, a call costs the assembler 7 to 14 % of the time of a small kernel. It
// also makes each wgmma product wait for the one before: ptxas says so in message C7509.
#include "passes.h"

#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace kiln::ptx {
namespace {

using Calls = llvm::SmallVector<llvm::CallInst *, 8>;

/// Returns the calls of `reporter` in `function` that end a block.
Calls last_calls(llvm::Function &function, const llvm::Function &reporter) {
  Calls found;
  for (llvm::BasicBlock &block : function)
    if (auto *call = llvm::dyn_cast_or_null<llvm::CallInst>(block.getTerminator()->getPrevNode());
        call && call->getCalledFunction() == &reporter &&
        llvm::isa<llvm::UnreachableInst>(block.getTerminator()))
      found.push_back(call);
  return found;
}

/// Replaces the calls by one in a block of its own, to which their blocks branch. Returns that call.
llvm::CallInst *joined(const Calls &calls) {
  if (calls.size() == 1) return calls.front();
  llvm::Function &function = *calls.front()->getFunction();
  llvm::BasicBlock *block = llvm::BasicBlock::Create(function.getContext(), "throw", &function);
  auto *call = llvm::cast<llvm::CallInst>(calls.front()->clone());
  call->insertInto(block, block->end());
  new llvm::UnreachableInst(function.getContext(), block);
  for (unsigned i = 0; i < call->arg_size(); ++i) {
    llvm::PHINode *argument =
        llvm::PHINode::Create(call->getArgOperand(i)->getType(), calls.size(), "", block->getFirstNonPHIIt());
    for (const llvm::CallInst *each : calls)
      argument->addIncoming(each->getArgOperand(i), const_cast<llvm::BasicBlock *>(each->getParent()));
    llvm::Value *same = argument->hasConstantValue();
    const bool is_everywhere = same && !llvm::isa<llvm::Instruction>(same);
    call->setArgOperand(i, is_everywhere ? same : argument);
    if (is_everywhere) argument->eraseFromParent();
  }
  for (llvm::CallInst *each : calls) {
    call->applyMergedLocation(call->getDebugLoc(), each->getDebugLoc());
    llvm::BasicBlock *from = each->getParent();
    from->getTerminator()->eraseFromParent();
    each->eraseFromParent();
    llvm::BranchInst::Create(block, from);
  }
  return call;
}

} // namespace

void inline_throws(llvm::Module &module) {
  for (const char *name : {"kiln_report_exception", "kiln_signal_exception"}) {
    llvm::Function *reporter = module.getFunction(name);
    if (!reporter || reporter->isDeclaration()) continue;
    for (llvm::Function &function : module) {
      const Calls calls = last_calls(function, *reporter);
      if (calls.empty()) continue;
      llvm::InlineFunctionInfo info;
      llvm::InlineFunction(*joined(calls), info);
    }
    if (reporter->use_empty()) reporter->eraseFromParent();
  }
}

} // namespace kiln::ptx
