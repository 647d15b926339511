// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "renamed_intrinsics.h"

#include <llvm/IR/AutoUpgrade.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>

#include <algorithm>

namespace kiln {
namespace {

/// An intrinsic from the list of removed ones in LLVM 22's IntrinsicsNVVM.td. In signatures `i` is i32, `p` a
/// pointer, `v` void.
struct Renamed {
  llvm::StringLiteral name, parameters;
  char result;
};
constexpr Renamed renamed[] = {
    {"llvm.nvvm.barrier0", "", 'v'},
    {"llvm.nvvm.barrier0.popc", "i", 'i'},
    {"llvm.nvvm.barrier0.and", "i", 'i'},
    {"llvm.nvvm.barrier0.or", "i", 'i'},
    {"llvm.nvvm.barrier.n", "i", 'v'},
    {"llvm.nvvm.barrier", "ii", 'v'},
    {"llvm.nvvm.bar.sync", "i", 'v'},
    {"llvm.nvvm.barrier.sync", "i", 'v'},
    {"llvm.nvvm.barrier.sync.cnt", "ii", 'v'},
    {"llvm.nvvm.atomic.load.inc.32", "pi", 'i'},
    {"llvm.nvvm.atomic.load.dec.32", "pi", 'i'},
};

bool is_type(const llvm::Type *type, char letter) {
  return letter == 'i' ? type->isIntegerTy(32) : letter == 'p' ? type->isPointerTy() : type->isVoidTy();
}

} // namespace

bool is_renamed_intrinsic(llvm::StringRef name, const llvm::FunctionType &type) {
  return std::any_of(std::begin(renamed), std::end(renamed), [&](const Renamed &each) {
    return each.name == name && is_type(type.getReturnType(), each.result) &&
           std::equal(type.param_begin(), type.param_end(), each.parameters.begin(), each.parameters.end(),
                      is_type);
  });
}

llvm::Value *call_renamed_intrinsic(llvm::IRBuilderBase &builder, llvm::Module &module, llvm::StringRef name,
                                    llvm::FunctionType *type, llvm::ArrayRef<llvm::Value *> arguments) {
  std::string old(name);
  // Overloaded by the pointer's address space, which is part of the name.
  if (!arguments.empty() && arguments[0]->getType()->isPointerTy())
    old += ".p" + std::to_string(arguments[0]->getType()->getPointerAddressSpace());
  auto *function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, old, module);
  llvm::CallInst *call = builder.CreateCall(function, arguments);
  // Follows the call to its replacement; null if a call without a result was removed.
  llvm::WeakTrackingVH value(call);
  llvm::Function *today = nullptr;
  if (llvm::UpgradeIntrinsicFunction(function, today)) llvm::UpgradeIntrinsicCall(call, today);
  if (function->use_empty()) function->eraseFromParent();
  return type->getReturnType()->isVoidTy() ? nullptr : static_cast<llvm::Value *>(value);
}

} // namespace kiln
