// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ends threads that throw in recursive functions of a kernel with waits. In such a kernel a thread ends by a
// jump within the kernel, for which throwing functions are inlined. Recursive functions cannot be inlined.
// When they throw, they set flag abi::Unwinding::ending and return. Their callers return too, up to the
// kernel, where the thread ends.
#include "passes.h"

#include <kiln/abi.h>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace kiln::native {
namespace {

std::vector<llvm::CallInst *> calls_in(llvm::Function &function, const Functions &callees) {
  std::vector<llvm::CallInst *> found;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        call && callees.count(call->getCalledFunction()))
      found.push_back(call);
  return found;
}

/// Emits the address of flag abi::Unwinding::ending. The state is the first parameter of each throwing
/// function.
llvm::Value *ending(llvm::IRBuilder<> &ir) {
  llvm::Value *state = ir.GetInsertBlock()->getParent()->getArg(0);
  auto field = [&](llvm::Value *base, uint64_t offset) {
    return ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), base, offset);
  };
  llvm::Value *point = ir.CreateAlignedLoad(
      ir.getPtrTy(), field(state, offsetof(abi::NativeThread, abort_thread)), llvm::Align(8));
  return field(point, offsetof(abi::Unwinding, ending));
}

/// Emits a test of flag `ending` after `call`. Returns the `unreachable` of the branch for a set flag; the
/// caller replaces it.
llvm::Instruction *branch_if_ending(llvm::CallInst &call) {
  llvm::IRBuilder<> ir(call.getNextNode());
  ir.SetCurrentDebugLocation(call.getDebugLoc());
  llvm::Value *is_ending =
      ir.CreateICmpNE(ir.CreateAlignedLoad(ir.getInt32Ty(), ending(ir), llvm::Align(4)), ir.getInt32(0));
  return llvm::SplitBlockAndInsertIfThen(is_ending, &*ir.GetInsertPoint(), /*Unreachable=*/true);
}

void leave(llvm::Instruction &unreachable) {
  llvm::IRBuilder<> ir(&unreachable);
  llvm::Type *type = unreachable.getFunction()->getReturnType();
  if (type->isVoidTy())
    ir.CreateRetVoid();
  else
    ir.CreateRet(llvm::PoisonValue::get(type));
  unreachable.eraseFromParent();
}

/// A reporter that reports nothing.
llvm::Function *end_function(llvm::Module &module) {
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), false);
  auto *function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, UnwoundThread, module);
  for (auto attribute : {llvm::Attribute::NoInline, llvm::Attribute::Cold, llvm::Attribute::NoReturn,
                         llvm::Attribute::NoUnwind})
    function->addFnAttr(attribute);
  llvm::IRBuilder<>(llvm::BasicBlock::Create(module.getContext(), "entry", function)).CreateUnreachable();
  return function;
}

} // namespace

void return_from_throws(llvm::Function &kernel, const Functions &functions, const Functions &reporters) {
  for (llvm::Function &function : *kernel.getParent()) {
    if (!functions.count(&function)) continue;
    function.removeFnAttr(llvm::Attribute::NoReturn);
    for (llvm::CallInst *call : calls_in(function, reporters)) {
      call->removeFnAttr(llvm::Attribute::NoReturn);
      llvm::IRBuilder<> ir(call->getNextNode());
      ir.CreateAlignedStore(ir.getInt32(1), ending(ir), llvm::Align(4));
      leave(*call->getParent()->getTerminator());
    }
    for (llvm::CallInst *call : calls_in(function, functions)) leave(*branch_if_ending(*call));
  }
  llvm::Function *end = nullptr;
  for (llvm::CallInst *call : calls_in(kernel, functions)) {
    if (!end) end = end_function(*kernel.getParent());
    llvm::Instruction *unreachable = branch_if_ending(*call);
    llvm::IRBuilder<> ir(unreachable);
    ir.SetCurrentDebugLocation(call->getDebugLoc());
    ir.CreateAlignedStore(ir.getInt32(0), ending(ir), llvm::Align(4));
    ir.CreateCall(end)->setDoesNotReturn();
  }
}

} // namespace kiln::native
