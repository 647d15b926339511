// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of i1 as logic, since SPIR-V's booleans have neither arithmetic nor an order.
#include "integer_stages.h"

#include <llvm/IR/InstIterator.h>

namespace kiln::spirv {
namespace {

using llvm::CmpInst;
using llvm::Instruction;
using llvm::Value;

bool is_boolean(const Value *value) { return value->getType()->getScalarType()->isIntegerTy(1); }

/// A shift by 1 is poison, and a division by 0 is undefined. So amounts are 0 and divisors are 1.
Value *logic(llvm::IRBuilder<> &builder, const llvm::BinaryOperator &old) {
  Value *x = old.getOperand(0), *y = old.getOperand(1);
  switch (old.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub: return builder.CreateXor(x, y);
  case Instruction::Mul: return builder.CreateAnd(x, y);
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::UDiv:
  case Instruction::SDiv: return x;
  case Instruction::URem:
  case Instruction::SRem: return llvm::Constant::getNullValue(old.getType());
  default: return nullptr;
  }
}

/// In signed comparisons, true is -1 and less than false.
Value *order(llvm::IRBuilder<> &builder, const llvm::ICmpInst &old) {
  Value *x = old.getOperand(0), *y = old.getOperand(1);
  switch (old.getPredicate()) {
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_SGT: return builder.CreateAnd(builder.CreateNot(x), y);
  case CmpInst::ICMP_UGT:
  case CmpInst::ICMP_SLT: return builder.CreateAnd(x, builder.CreateNot(y));
  case CmpInst::ICMP_ULE:
  case CmpInst::ICMP_SGE: return builder.CreateOr(builder.CreateNot(x), y);
  case CmpInst::ICMP_UGE:
  case CmpInst::ICMP_SLE: return builder.CreateOr(x, builder.CreateNot(y));
  default: return nullptr;
  }
}

Value *replacement(Instruction &old) {
  llvm::IRBuilder<> builder(&old);
  if (const auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&old))
    return is_boolean(&old) ? logic(builder, *operation) : nullptr;
  if (const auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(&old))
    return is_boolean(old.getOperand(0)) ? order(builder, *comparison) : nullptr;
  if (llvm::isa<llvm::FPToUIInst, llvm::FPToSIInst>(old) && is_boolean(&old)) {
    llvm::Type *byte = old.getType()->getWithNewBitWidth(8);
    Value *number = builder.CreateCast(llvm::cast<llvm::CastInst>(old).getOpcode(), old.getOperand(0), byte);
    return builder.CreateTrunc(number, old.getType());
  }
  return nullptr;
}

void widen_switch(llvm::SwitchInst &choice) {
  llvm::IRBuilder<> builder(&choice);
  for (auto &entry : choice.cases()) entry.setValue(builder.getInt8(entry.getCaseValue()->isZero() ? 0 : 1));
  choice.setCondition(builder.CreateZExt(choice.getCondition(), builder.getInt8Ty()));
}

} // namespace

void lower_booleans(llvm::Function &function) {
  for (Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction);
        choice && is_boolean(choice->getCondition()))
      widen_switch(*choice);
    Value *value = replacement(instruction);
    if (!value) continue;
    instruction.replaceAllUsesWith(value);
    instruction.eraseFromParent();
  }
}

} // namespace kiln::spirv
