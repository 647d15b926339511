// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports what a kernel needs and its device lacks, at the first line that needs it.
#include "passes.h"

#include <kiln/extension/llvm/ir.h>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <fmt/format.h>

namespace kiln::spirv {
namespace {

/// True if `type` is, or contains, a scalar for which `is` holds.
template <class Is> bool contains(const llvm::Type *type, const Is &is) {
  if (is(type->getScalarType())) return true;
  for (const llvm::Type *part : type->subtypes())
    if (!type->isFunctionTy() && contains(part, is)) return true;
  return false;
}

bool is_atomic_of(const llvm::Instruction &instruction, unsigned bits) {
  const llvm::Type *type = nullptr;
  if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) type = update->getType();
  if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    type = exchange->getCompareOperand()->getType();
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->isAtomic())
    type = load->getType();
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && store->isAtomic())
    type = store->getValueOperand()->getType();
  if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction)) // atomics.cpp
    if (const llvm::Function *callee = call->getCalledFunction();
        callee && callee->getName().contains("__spirv_Atomic"))
      type = call->getType()->isVoidTy() ? call->getArgOperand(call->arg_size() - 1)->getType()
                                         : call->getType();
  return type && instruction.getDataLayout().getTypeSizeInBits(const_cast<llvm::Type *>(type)) == bits;
}

} // namespace

Result<void> require(const Features &features, Feature feature, const llvm::Instruction &at) {
  if (features.has(feature)) return {};
  return error_at(at, ErrorCode::KernelError,
                  fmt::format("the kernel needs {}, which the device does not have", text_of(feature)),
                  "choose another device, or other types");
}

Result<void> check_capabilities(const Features &features, const llvm::Module &module) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      auto uses = [&](const auto &is) {
        if (contains(instruction.getType(), is)) return true;
        for (const llvm::Value *operand : instruction.operands())
          if (!llvm::isa<llvm::BasicBlock, llvm::MetadataAsValue>(operand) &&
              contains(operand->getType(), is))
            return true;
        return false;
      };
      if (!features.has(Feature::fp64) && uses([](const llvm::Type *type) { return type->isDoubleTy(); }))
        KILN_CHECK(require(features, Feature::fp64, instruction));
      if (!features.has(Feature::fp16) && uses([](const llvm::Type *type) { return type->isHalfTy(); }))
        KILN_CHECK(require(features, Feature::fp16, instruction));
      if (is_atomic_of(instruction, 64)) KILN_CHECK(require(features, Feature::int64_atomics, instruction));
    }
  return {};
}

} // namespace kiln::spirv
