// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks operations for which LLVM would call its run-time library, which no GPU has. Without the marker, LLVM
// would stop with a fatal error that names neither the operation nor its place. Kiln emits no such operation,
// but linked bitcode may have some. Validation reports each marker with its source stack.
#include "passes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

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

bool is_wide_conversion(const llvm::Instruction &instruction) {
  if (llvm::isa<llvm::SIToFPInst, llvm::UIToFPInst, llvm::FPToSIInst, llvm::FPToUIInst>(instruction))
    return true;
  const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && (call->getIntrinsicID() == llvm::Intrinsic::fptosi_sat ||
                  call->getIntrinsicID() == llvm::Intrinsic::fptoui_sat);
}

/// Type of the value that an atomic instruction accesses. Null: the instruction is not atomic.
const llvm::Type *atomic_type(const llvm::Instruction &instruction) {
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->isAtomic())
    return load->getType();
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && store->isAtomic())
    return store->getValueOperand()->getType();
  if (const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return update->getType();
  if (const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange->getCompareOperand()->getType();
  return nullptr;
}

/// Reason why the back-end has no code for an operation. Empty: it has code.
std::string reason_of(const llvm::Instruction &instruction) {
  if (const llvm::Type *type = atomic_type(instruction))
    if (const uint64_t bits =
            instruction.getModule()->getDataLayout().getTypeSizeInBits(const_cast<llvm::Type *>(type));
        bits > 64)
      return fmt::format(
          "unsupported operation on ptx: {} of {} bits, for which the linked code needs a run-time library that no GPU has: at most 64 bits are atomic",
          instruction.getOpcodeName(), bits);
  if (is_wide_conversion(instruction)) {
    const unsigned from = instruction.getOperand(0)->getType()->getScalarSizeInBits(),
                   to = instruction.getType()->getScalarSizeInBits();
    if (std::max(from, to) > 64)
      return fmt::format(
          "unsupported conversion on ptx: {} from {} to {} bits",
          llvm::isa<llvm::IntrinsicInst>(instruction)
              ? llvm::cast<llvm::IntrinsicInst>(instruction).getCalledFunction()->getName().str()
              : instruction.getOpcodeName(),
          from, to);
  }
  if (llvm::isa<llvm::UnaryOperator, llvm::BinaryOperator, llvm::CastInst, llvm::CmpInst>(instruction))
    if (const llvm::Type *type = unsupported_float(instruction))
      return fmt::format("unsupported operation on ptx: {} of floats of {} bits", instruction.getOpcodeName(),
                         type->getPrimitiveSizeInBits().getFixedValue());
  return {};
}

} // namespace

Result<void> mark_unsupported(const Target &, const CompilerConfig &, llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      const std::string reason = reason_of(instruction);
      if (reason.empty()) continue;
      llvm::IRBuilder<> builder(&instruction);
      auto *type = llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
      builder.CreateCall(module.getOrInsertFunction("kiln.static_error", type),
                         {builder.CreateGlobalStringPtr(reason)});
      instruction.replaceAllUsesWith(llvm::PoisonValue::get(instruction.getType()));
      instruction.eraseFromParent();
    }
  return {};
}

} // namespace kiln::ptx
