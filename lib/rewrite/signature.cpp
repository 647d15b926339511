// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "signature.h"

#include "rewrites.h"

#include <llvm/IR/InstIterator.h>

namespace kiln::rewrites {

std::vector<llvm::CallInst *> calls_of(llvm::Module &module, llvm::StringRef name) {
  std::vector<llvm::CallInst *> calls;
  llvm::Function *callee = module.getFunction(name);
  if (!callee || callee->use_empty()) return calls;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && call->getCalledFunction() == callee)
        calls.push_back(call);
  return calls;
}

} // namespace kiln::rewrites

namespace kiln {

llvm::Function *prepend_parameters(llvm::Function &function, llvm::ArrayRef<llvm::Type *> types,
                                   llvm::ArrayRef<llvm::StringRef> names) {
  llvm::SmallVector<llvm::Type *, 8> parameters(types);
  parameters.append(function.getFunctionType()->param_begin(), function.getFunctionType()->param_end());
  auto *type = llvm::FunctionType::get(function.getReturnType(), parameters, function.isVarArg());
  llvm::Function *changed = llvm::Function::Create(type, function.getLinkage(), function.getAddressSpace());
  function.getParent()->getFunctionList().insert(function.getIterator(), changed);
  changed->takeName(&function);
  changed->copyAttributesFrom(&function);
  changed->copyMetadata(&function, 0);
  changed->setComdat(function.getComdat());

  llvm::AttributeList old = function.getAttributes();
  llvm::SmallVector<llvm::AttributeSet, 8> of_parameters(types.size());
  for (unsigned i = 0; i < function.arg_size(); ++i) of_parameters.push_back(old.getParamAttrs(i));
  changed->setAttributes(
      llvm::AttributeList::get(function.getContext(), old.getFnAttrs(), old.getRetAttrs(), of_parameters));

  changed->splice(changed->begin(), &function);
  for (unsigned i = 0; i < types.size(); ++i) changed->getArg(i)->setName(names[i]);
  for (llvm::Argument &argument : function.args()) {
    llvm::Argument *moved = changed->getArg(argument.getArgNo() + types.size());
    moved->takeName(&argument);
    argument.replaceAllUsesWith(moved);
  }
  // This also updates metadata that refers to the function, such as a kernel's annotations.
  function.replaceAllUsesWith(changed);
  function.eraseFromParent();
  return changed;
}

void prepend_arguments(llvm::CallInst &call, llvm::ArrayRef<llvm::Value *> values) {
  llvm::SmallVector<llvm::Value *, 8> arguments(values);
  arguments.append(call.arg_begin(), call.arg_end());
  llvm::SmallVector<llvm::OperandBundleDef, 1> bundles;
  call.getOperandBundlesAsDefs(bundles);
  llvm::Function *callee = call.getCalledFunction();
  if (!callee) // call and function differ in type, so that LLVM reports no called function
    callee = llvm::cast<llvm::Function>(call.getCalledOperand());
  auto *changed =
      llvm::CallInst::Create(callee->getFunctionType(), callee, arguments, bundles, "", call.getIterator());
  changed->takeName(&call);
  changed->setCallingConv(call.getCallingConv());
  changed->setTailCallKind(call.getTailCallKind());
  changed->copyMetadata(call);
  if (llvm::isa<llvm::FPMathOperator>(changed)) changed->copyFastMathFlags(&call);
  llvm::AttributeList old = call.getAttributes();
  llvm::SmallVector<llvm::AttributeSet, 8> of_arguments(values.size());
  for (unsigned i = 0; i < call.arg_size(); ++i) of_arguments.push_back(old.getParamAttrs(i));
  changed->setAttributes(
      llvm::AttributeList::get(call.getContext(), old.getFnAttrs(), old.getRetAttrs(), of_arguments));
  call.replaceAllUsesWith(changed);
  call.eraseFromParent();
}

} // namespace kiln
