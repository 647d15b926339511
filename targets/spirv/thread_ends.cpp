// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SPIR-V has no instruction that ends a thread. Functions that throw are inlined into the entry; there, a
// thread returns after it has reported its exception. If other threads of the block reach a barrier later,
// what they read is undefined; the launch is an error in any case.
#include "passes.h"

#include <llvm_support/llvm_support.h>
#include <rewrite/rewrite.h>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>

namespace kiln::spirv {
namespace {

/// Replaces each `unreachable` of the function by a return.
void return_where_unreachable(llvm::Function &function) {
  llvm::Type *type = function.getReturnType();
  for (llvm::BasicBlock &block : function)
    if (auto *end = llvm::dyn_cast<llvm::UnreachableInst>(block.getTerminator())) {
      llvm::Value *none = type->isVoidTy() ? nullptr : llvm::Constant::getNullValue(type);
      llvm::ReturnInst::Create(function.getContext(), none, end->getIterator());
      end->eraseFromParent();
    }
}

/// Ends the blocks in which `function` calls one of `callees` after this call, by a return.
void return_after_calls(llvm::Function &function, const Functions &callees) {
  std::vector<llvm::CallInst *> calls;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        call && callees.count(call->getCalledFunction()))
      calls.push_back(call);
  for (llvm::CallInst *call : calls) {
    if (!call->getParent()) continue;
    call->removeFnAttr(llvm::Attribute::NoReturn);
    llvm::changeToUnreachable(call->getNextNode());
  }
  return_where_unreachable(function);
}

} // namespace

Result<void> return_after_throws(const Target &, const CompilerConfig &, llvm::Module &module) {
  llvm::Function *const marker = module.getFunction(EndThread);
  if (!marker) return {};
  KILN_TRY(llvm::Function * entry, entry_of(module));
  Functions reporters;
  for (llvm::Function &function : module)
    if (next_call(function, {marker})) reporters.insert(&function);
  Functions throwers = callers_of(module, reporters);
  throwers.erase(entry);
  KILN_CHECK(inline_into_entry(*entry, throwers, "may throw"));
  for (llvm::Function &function : module)
    if (reporters.count(&function)) {
      function.removeFnAttr(llvm::Attribute::NoReturn);
      return_after_calls(function, {marker});
      while (llvm::CallInst *call = next_call(function, {marker})) call->eraseFromParent();
    }
  if (!reporters.count(entry)) return_after_calls(*entry, reporters);
  llvm::removeUnreachableBlocks(*entry);
  if (marker->use_empty()) marker->eraseFromParent();
  return {};
}

void leave_one_return(llvm::Module &module) {
  run_on_functions(module, llvm::UnifyFunctionExitNodesPass(), [](const llvm::Function &function) {
    return function.hasFnAttribute(EntryAttribute) &&
           llvm::count_if(function, [](const llvm::BasicBlock &block) {
             return llvm::isa<llvm::ReturnInst>(block.getTerminator());
           }) > 1;
  });
}

} // namespace kiln::spirv
