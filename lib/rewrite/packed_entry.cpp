// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds an entry wrapper with the packed ABI for plain functions: arguments in an array of pointers, result in
// memory.
//   native  void f(ptr state, ptr args, ptr ret)
//   ptx     void f([state,] ptr args, ptr ret): with the state only if the function uses it
#include "rewrites.h"

#include <llvm_support/llvm_support.h>

#include <llvm/IR/IRBuilder.h>

namespace kiln::rewrites {

Result<void> packed_entry(const Target &target, const CompilerConfig &config, llvm::Module &module) {
  KILN_TRY(llvm::Function * body, entry_of(module));
  if (config.entry_abi != EntryAbi::Packed || body->hasFnAttribute(KernelAttribute)) return {};
  llvm::LLVMContext &context = module.getContext();
  auto *pointer = llvm::PointerType::get(context, 0);
  const bool body_takes_state = body->hasFnAttribute(StateAttribute);
  const bool always_takes_state =
      target.capabilities(config.target).kernel_state == KernelStateType::NativeThread;
  const bool wrapper_takes_state = always_takes_state || body_takes_state;

  llvm::SmallVector<llvm::Type *, 3> types;
  if (wrapper_takes_state) types.push_back(body_takes_state ? body->getArg(0)->getType() : pointer);
  types.append(2, pointer);
  std::string name = body->getName().str();
  body->setName(name + ".body");
  auto *wrapper =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false),
                             llvm::GlobalValue::ExternalLinkage, name, &module);
  wrapper->addFnAttr(EntryAttribute);
  if (wrapper_takes_state) wrapper->addFnAttr(StateAttribute);
  wrapper->setCallingConv(body->getCallingConv());
  for (const char *attribute : {"target-cpu", "target-features"})
    if (body->hasFnAttribute(attribute)) wrapper->addFnAttr(body->getFnAttribute(attribute));
  body->removeFnAttr(EntryAttribute);
  body->removeFnAttr(StateAttribute);
  body->setLinkage(llvm::GlobalValue::InternalLinkage);
  if (!body->hasFnAttribute(llvm::Attribute::NoInline)) body->addFnAttr(llvm::Attribute::AlwaysInline);

  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", wrapper));
  llvm::SmallVector<llvm::Value *, 8> arguments;
  if (wrapper_takes_state) wrapper->getArg(0)->setName("state");
  if (body_takes_state) arguments.push_back(wrapper->getArg(0));
  llvm::Argument *packed = wrapper->getArg(wrapper_takes_state),
                 *result = wrapper->getArg(wrapper_takes_state + 1);
  packed->setName("args");
  result->setName("ret");
  for (unsigned i = body_takes_state, slot = 0; i < body->arg_size(); ++i, ++slot) {
    llvm::Value *address =
        builder.CreateLoad(pointer, builder.CreateConstInBoundsGEP1_64(pointer, packed, slot));
    llvm::Argument *parameter = body->getArg(i);
    if (parameter->hasPassPointeeByValueCopyAttr()) // the array's entry is that pointer
      arguments.push_back(address);
    else
      arguments.push_back(builder.CreateLoad(parameter->getType(), address, parameter->getName()));
  }
  auto *call = builder.CreateCall(body->getFunctionType(), body, arguments);
  call->setCallingConv(body->getCallingConv());
  if (!body->getReturnType()->isVoidTy()) builder.CreateStore(call, result);
  builder.CreateRetVoid();
  place_wrapper(*wrapper, *call, *body);
  return {};
}

} // namespace kiln::rewrites
