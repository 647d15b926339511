// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers to code come from deferred_codegen of this very module, so a call of one is a choice between the
// functions of its type. As such it may throw, wait and ask for its index like any other call, on each
// target; the optimiser drops the choice where it sees the pointer. A pointer that leads to none of them ends
// the thread with an exception.
#include "rewrites.h"

#include <kiln/abi.h>
#include <llvm_support/llvm_support.h>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace kiln::rewrites {
namespace {

/// The text as a constant of the module.
llvm::Constant *text(llvm::Module &module, llvm::StringRef bytes) {
  llvm::Constant *data = llvm::ConstantDataArray::getString(module.getContext(), bytes);
  auto *global = new llvm::GlobalVariable(module, data->getType(), true, llvm::GlobalValue::PrivateLinkage,
                                          data, "kiln_text_pointer");
  global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return global;
}

void choose(llvm::CallInst &call, llvm::ArrayRef<llvm::Function *> functions) {
  llvm::Module &module = *call.getModule();
  llvm::BasicBlock *head = call.getParent(), *tail = llvm::SplitBlock(head, &call);
  head->getTerminator()->eraseFromParent();
  llvm::Function *caller = head->getParent();
  llvm::IRBuilder<> builder(head);
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  llvm::SmallVector<llvm::Value *, 8> arguments(call.args());
  llvm::SmallVector<std::pair<llvm::CallInst *, llvm::BasicBlock *>, 4> results;
  for (llvm::Function *function : functions) {
    auto *here = llvm::BasicBlock::Create(module.getContext(), "", caller, tail),
         *next = llvm::BasicBlock::Create(module.getContext(), "", caller, tail);
    builder.CreateCondBr(builder.CreateICmpEQ(call.getCalledOperand(), function), here, next);
    builder.SetInsertPoint(here);
    results.emplace_back(builder.CreateCall(function, arguments), here);
    builder.CreateBr(tail);
    builder.SetInsertPoint(next);
  }
  llvm::Type *pointer = builder.getPtrTy();
  auto fail = module.getOrInsertFunction(
      "kiln.throw",
      llvm::FunctionType::get(builder.getVoidTy(), {builder.getInt32Ty(), pointer, pointer}, false));
  builder.CreateCall(fail,
                     {builder.getInt32(uint32_t(abi::ExceptionKind::ErrorException)),
                      text(module, "ErrorException: call of a pointer that leads to no code of its type"),
                      llvm::ConstantPointerNull::get(builder.getPtrTy())});
  builder.CreateUnreachable();
  if (!call.getType()->isVoidTy()) {
    builder.SetInsertPoint(tail, tail->begin());
    auto *result = builder.CreatePHI(call.getType(), unsigned(results.size()));
    for (auto [value, block] : results) result->addIncoming(value, block);
    call.replaceAllUsesWith(result);
  }
  call.eraseFromParent();
}

} // namespace

Result<void> indirect_calls(const Target &, const CompilerConfig &, llvm::Module &module) {
  std::vector<llvm::Function *> deferred;
  for (llvm::Function &function : module)
    if (function.hasFnAttribute(DeferredAttribute)) deferred.push_back(&function);
  std::vector<llvm::CallInst *> calls;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && !call->getCalledFunction() && call->getAttributes().hasFnAttr(DeferredAttribute))
        calls.push_back(call);
  for (llvm::CallInst *call : calls) {
    std::vector<llvm::Function *> fitting;
    for (llvm::Function *function : deferred)
      if (function->getFunctionType() == call->getFunctionType()) fitting.push_back(function);
    if (!fitting.empty()) // else validation reports it
      choose(*call, fitting);
  }
  return {};
}

} // namespace kiln::rewrites
