// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenCL's printf takes its format, and the texts behind %s, from constant memory.
#include "passes.h"

#include <kiln/extension/llvm/ir.h>
#include <rewrite/rewrite.h>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace kiln::spirv {
namespace {

constexpr const char *Builtin = "_Z6printfPU3AS2Kcz"; ///< int printf(constant char *, ...)

/// The variable whose text a pointer refers to; null: the pointer is no constant text.
llvm::GlobalVariable *text_of(llvm::Value *pointer) {
  if (!pointer->getType()->isPointerTy()) return nullptr;
  auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer->stripPointerCasts());
  const bool is_text = variable && variable->isConstant() && variable->hasInitializer() &&
                       variable->getValueType()->isArrayTy() &&
                       variable->getValueType()->getArrayElementType()->isIntegerTy(8);
  return is_text ? variable : nullptr;
}

llvm::GlobalVariable *in_constant_memory(llvm::GlobalVariable &text) {
  const std::string name = text.getName().str() + ".constant";
  llvm::Module &module = *text.getParent();
  if (llvm::GlobalVariable *known = module.getNamedGlobal(name)) return known;
  return new llvm::GlobalVariable(module, text.getValueType(), true, llvm::GlobalValue::InternalLinkage,
                                  text.getInitializer(), name, nullptr, llvm::GlobalValue::NotThreadLocal,
                                  spirv_space::UniformConstant);
}

/// LLVM 22.1.8's back-end looks up the format's type in a wrong function and then reports that it is not in
/// constant memory. So a module that prints has one function.
Result<void> inline_all(llvm::Module &module) {
  KILN_TRY(llvm::Function * entry, entry_of(module));
  Functions others;
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && &function != entry) others.insert(&function);
  for (llvm::Function *function : others) function->removeFnAttr(llvm::Attribute::NoInline);
  KILN_CHECK(inline_into_entry(*entry, others, "belongs to a kernel that prints"));
  for (llvm::Function *function : others) function->dropAllReferences();
  for (llvm::Function *function : others) function->eraseFromParent();
  return {};
}

} // namespace

void hide_printing(llvm::Module &module) {
  llvm::Function *const declared = module.getFunction("printf");
  if (declared && declared->isDeclaration()) declared->setName(HiddenPrintf);
}

Result<void> lower_printing(const Features &features, llvm::Module &module) {
  llvm::Function *const declared = module.getFunction(HiddenPrintf);
  if (!declared) return {};
  for (llvm::User *user : llvm::make_early_inc_range(declared->users())) {
    auto *call = llvm::cast<llvm::CallInst>(user);
    KILN_CHECK(require(features, Feature::printing, *call));
    llvm::SmallVector<llvm::Value *, 8> arguments(call->args());
    for (llvm::Value *&argument : arguments)
      if (llvm::GlobalVariable *text = text_of(argument)) argument = in_constant_memory(*text);
    if (arguments.empty() || !llvm::isa<llvm::GlobalVariable>(arguments[0]))
      return error_at(*call, ErrorCode::KernelError, "the format of printf is not a constant text",
                      "OpenCL takes a format that is known when the kernel is compiled");
    llvm::IRBuilder<> ir(call);
    auto *type = llvm::FunctionType::get(ir.getInt32Ty(), {arguments[0]->getType()}, /*isVarArg=*/true);
    llvm::FunctionCallee builtin = module.getOrInsertFunction(Builtin, type);
    llvm::cast<llvm::Function>(builtin.getCallee())->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    llvm::CallInst *made = ir.CreateCall(builtin, arguments);
    made->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    call->replaceAllUsesWith(made);
    call->eraseFromParent();
  }
  declared->eraseFromParent();
  return inline_all(module);
}

} // namespace kiln::spirv
