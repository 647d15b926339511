// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conditions.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace kiln {
namespace {

constexpr unsigned max_branches = 256; // on one value; comparing all pairs of 256 takes a tenth of a second
constexpr llvm::StringLiteral pin_prefix = "kiln.pin.";

llvm::ICmpInst *condition_of(llvm::BasicBlock &block) {
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  return branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
}

/// Declares a dummy function that takes a value as its argument, and so counts as a use. The reveal pass
/// removes its calls.
llvm::FunctionCallee pin_function(llvm::Module &module, llvm::Type *type) {
  std::string name = pin_prefix.str();
  llvm::raw_string_ostream(name) << *type;
  llvm::FunctionCallee pin = module.getOrInsertFunction(
      name, llvm::FunctionType::get(llvm::Type::getVoidTy(type->getContext()), {type}, false));
  auto &function = llvm::cast<llvm::Function>(*pin.getCallee());
  function.setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
  function.setDoesNotThrow();
  function.setWillReturn();
  return pin;
}

/// True if InstCombine would sink the instruction past the check at the end of its block. Sinking to the path
/// that throws is harmless.
bool sinks(const llvm::Instruction &instruction) {
  if (!instruction.hasOneUse() || instruction.mayHaveSideEffects() || instruction.getType()->isTokenTy() ||
      llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction))
    return false;
  const auto *user = llvm::dyn_cast<llvm::Instruction>(instruction.user_back());
  return user && user->getParent() != instruction.getParent() && !llvm::isa<llvm::PHINode>(user) &&
         user->getParent()->getUniquePredecessor() == instruction.getParent() &&
         !llvm::isa<llvm::UnreachableInst>(user->getParent()->getTerminator());
}

struct HidePass : llvm::PassInfoMixin<HidePass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
    if (function.size() <= max_branches) return llvm::PreservedAnalyses::all();
    llvm::DenseMap<const llvm::Value *, unsigned> branches_on; // looked up only
    for (llvm::BasicBlock &block : function)
      if (llvm::ICmpInst *condition = condition_of(block))
        for (const llvm::Value *operand : condition->operands())
          if (!llvm::isa<llvm::Constant>(operand)) ++branches_on[operand];
    bool changed = false;
    for (llvm::BasicBlock &block : function) {
      llvm::ICmpInst *condition = condition_of(block);
      if (!condition || llvm::none_of(condition->operands(), [&](const llvm::Value *operand) {
            return branches_on.lookup(operand) > max_branches;
          }))
        continue;
      changed = true;
      auto *branch = llvm::cast<llvm::BranchInst>(block.getTerminator());
      llvm::IRBuilder<> builder(branch);
      branch->setCondition(builder.CreateIntrinsic(llvm::Intrinsic::expect, {builder.getInt1Ty()},
                                                   {condition, builder.getTrue()}));
      llvm::SmallVector<llvm::Instruction *, 16> pinned;
      for (llvm::Instruction &instruction : block)
        if (sinks(instruction)) pinned.push_back(&instruction);
      for (llvm::Instruction *instruction : pinned)
        builder.CreateCall(pin_function(*function.getParent(), instruction->getType()), {instruction});
    }
    return changed ? instructions_changed() : llvm::PreservedAnalyses::all();
  }

  static llvm::PreservedAnalyses instructions_changed() {
    llvm::PreservedAnalyses preserved;
    preserved.preserveSet<llvm::CFGAnalyses>();
    return preserved;
  }
};

struct RevealPass : llvm::PassInfoMixin<RevealPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
    if (function.size() <= max_branches || !function.getParent()->getFunction("llvm.expect.i1"))
      return llvm::PreservedAnalyses::all();
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee) continue;
      if (callee->getIntrinsicID() == llvm::Intrinsic::expect) {
        call->replaceAllUsesWith(call->getArgOperand(0));
        call->eraseFromParent();
      } else if (callee->getName().starts_with(pin_prefix)) {
        call->eraseFromParent();
      }
    }
    return HidePass::instructions_changed();
  }
};

} // namespace

void add_hide_conditions(llvm::FunctionPassManager &passes) { passes.addPass(HidePass()); }

void add_reveal_conditions(llvm::FunctionPassManager &passes) { passes.addPass(RevealPass()); }

} // namespace kiln
