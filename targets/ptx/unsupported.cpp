// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations for which LLVM would call its run-time library, which no GPU has: it ends with a fatal error that names neither operation nor
// place. Kiln emits none; linked bitcode may bring some. Each becomes a marker that validation reports with the source stack.
#include "parts.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <fmt/format.h>

namespace kiln::ptx {
namespace {

const llvm::Type *unsupported_float(const llvm::Instruction &instruction) {
  auto is = [](const llvm::Type *type) {
    const llvm::Type *scalar = type->getScalarType();
    return scalar->isFP128Ty() || scalar->isX86_FP80Ty() || scalar->isPPC_FP128Ty();
  };
  if (is(instruction.getType())) return instruction.getType()->getScalarType();
  for (const llvm::Value *operand : instruction.operands())
    if (is(operand->getType())) return operand->getType()->getScalarType();
  return nullptr;
}

/// Empty: the back-end has code for it.
std::string reason_of(const llvm::Instruction &instruction) {
  if (llvm::isa<llvm::SIToFPInst, llvm::UIToFPInst, llvm::FPToSIInst, llvm::FPToUIInst>(instruction)) {
    const unsigned from = instruction.getOperand(0)->getType()->getScalarSizeInBits(), to = instruction.getType()->getScalarSizeInBits();
    if (std::max(from, to) > 64)
      return fmt::format("unsupported conversion on ptx: {} from {} to {} bits", instruction.getOpcodeName(), from, to);
  }
  if (llvm::isa<llvm::UnaryOperator, llvm::BinaryOperator, llvm::CastInst, llvm::CmpInst>(instruction))
    if (const llvm::Type *type = unsupported_float(instruction))
      return fmt::format("unsupported operation on ptx: {} of floats of {} bits", instruction.getOpcodeName(), type->getPrimitiveSizeInBits().getFixedValue());
  return {};
}

} // namespace

Result<void> mark_unsupported(const CompilerConfig &, llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      const std::string reason = reason_of(instruction);
      if (reason.empty()) continue;
      llvm::IRBuilder<> builder(&instruction);
      auto *type = llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
      builder.CreateCall(module.getOrInsertFunction("kiln.static_error", type), {builder.CreateGlobalStringPtr(reason)});
      instruction.replaceAllUsesWith(llvm::PoisonValue::get(instruction.getType()));
      instruction.eraseFromParent();
    }
  return {};
}

} // namespace kiln::ptx
