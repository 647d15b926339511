// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "builtins.h"

#include <llvm/IR/Module.h>

namespace kiln::spirv {

llvm::CallInst *call_builtin(llvm::IRBuilder<> &ir, llvm::StringRef mangled, llvm::Type *result,
                             llvm::ArrayRef<llvm::Value *> values) {
  llvm::SmallVector<llvm::Type *, 4> types;
  for (llvm::Value *value : values) types.push_back(value->getType());
  llvm::Module &module = *ir.GetInsertBlock()->getModule();
  auto callee = module.getOrInsertFunction(mangled, llvm::FunctionType::get(result, types, false));
  llvm::cast<llvm::Function>(callee.getCallee())->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  llvm::CallInst *call = ir.CreateCall(callee, values);
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  return call;
}

llvm::CallInst *call_pure_builtin(llvm::IRBuilder<> &ir, llvm::StringRef mangled, llvm::Type *result,
                                  llvm::ArrayRef<llvm::Value *> values) {
  llvm::CallInst *call = call_builtin(ir, mangled, result, values);
  llvm::Function *function = call->getCalledFunction();
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return call;
}

} // namespace kiln::spirv
