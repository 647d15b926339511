// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>

#include <fmt/format.h>

namespace kiln::native {

namespace {

llvm::Value *index(llvm::IRBuilder<> &ir, const char *which, char axis) {
  llvm::Module &module = *ir.GetInsertBlock()->getModule();
  return ir.CreateCall(module.getOrInsertFunction(fmt::format("kiln.{}.{}", which, axis), ir.getInt32Ty()));
}

/// Declares void kiln_end_thread(), after which the executor continues with the next thread.
llvm::Function *end_thread_function(llvm::Module &module) {
  if (llvm::Function *function = module.getFunction(EndThread)) return function;
  llvm::IRBuilder<> ir(module.getContext());
  auto *function = llvm::Function::Create(llvm::FunctionType::get(ir.getVoidTy(), false),
                                          llvm::GlobalValue::InternalLinkage, EndThread, module);
  for (auto attribute : {llvm::Attribute::NoInline, llvm::Attribute::Cold, llvm::Attribute::NoReturn,
                         llvm::Attribute::NoUnwind})
    function->addFnAttr(attribute);
  ir.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", function));
  llvm::Value *state = ir.CreateCall(module.getOrInsertFunction("kiln.state", ir.getPtrTy()), {}, "state");
  for (unsigned axis = 0; axis < 3; ++axis)
    ir.CreateAlignedStore(
        index(ir, "thread_idx", "xyz"[axis]),
        ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), state, offsetof(abi::NativeThread, thread) + 4 * axis),
        llvm::Align(4));
  auto *type = llvm::FunctionType::get(ir.getVoidTy(), {ir.getPtrTy()}, false);
  ir.CreateCall(module.getOrInsertFunction(abi::NativeThrowSymbol, type), {state})->setDoesNotReturn();
  ir.CreateUnreachable();
  return function;
}

} // namespace

void end_thread(llvm::IRBuilder<> &ir) {
  ir.CreateCall(end_thread_function(*ir.GetInsertBlock()->getModule()))->setDoesNotReturn();
  ir.CreateUnreachable();
}

llvm::Value *thread_index(llvm::IRBuilder<> &ir) {
  llvm::Value *row = ir.CreateAdd(index(ir, "thread_idx", 'y'),
                                  ir.CreateMul(index(ir, "block_dim", 'y'), index(ir, "thread_idx", 'z')));
  return ir.CreateAdd(index(ir, "thread_idx", 'x'), ir.CreateMul(index(ir, "block_dim", 'x'), row));
}

llvm::Constant *location_constant(llvm::Module &module, const llvm::DebugLoc &debug) {
  std::string text;
  for (const llvm::DILocation *at = debug.get(); at; at = at->getInlinedAt()) {
    const llvm::DISubprogram *function = at->getScope()->getSubprogram();
    if (function && function->isArtificial()) continue; // a wrapper made by Kiln
    text += fmt::format("{}{}|{}|{}", text.empty() ? "" : "\n", function ? function->getName().str() : "",
                        at->getFilename().str(), at->getLine());
  }
  llvm::LLVMContext &context = module.getContext();
  if (text.empty()) return llvm::ConstantPointerNull::get(llvm::PointerType::get(context, 0));
  llvm::Constant *value = llvm::ConstantDataArray::getString(context, text);
  auto *made = new llvm::GlobalVariable(module, value->getType(), true, llvm::GlobalValue::PrivateLinkage,
                                        value, "location");
  made->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return made;
}

} // namespace kiln::native
