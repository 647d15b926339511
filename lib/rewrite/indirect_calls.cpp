// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces calls through function pointers by a switch over the functions of the pointer's type. All such
// pointers come from deferred_codegen in the same module. The resulting direct calls may throw, wait and use
// the thread index on each target. The optimiser removes the switch if it knows the pointer. A pointer to any
// other function ends the thread with an exception.
#include "rewrites.h"

#include <kiln/abi.h>
#include <llvm_support/llvm_support.h>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace kiln::rewrites {
namespace {

/// Adds a constant with this text to the module.
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
    if (!fitting.empty()) // otherwise validation reports it
      choose(*call, fitting);
  }
  return {};
}

} // namespace kiln::rewrites
