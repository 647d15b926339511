// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenCL has no BFloat16. Its values become integers of 16 bits; arithmetic converts to 32-bit floats and
// rounds to nearest even, as LLVM does on CPUs.
#include "passes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace kiln::spirv {
namespace {

using llvm::Value;

Value *bits_of(llvm::IRBuilder<> &ir, Value *value) { return ir.CreateBitCast(value, ir.getInt16Ty()); }

Value *widened(llvm::IRBuilder<> &ir, Value *value) {
  Value *word = ir.CreateShl(ir.CreateZExt(bits_of(ir, value), ir.getInt32Ty()), 16);
  return ir.CreateBitCast(word, ir.getFloatTy());
}

Value *narrowed(llvm::IRBuilder<> &ir, Value *value, llvm::Type *bfloat) {
  Value *word = ir.CreateBitCast(value, ir.getInt32Ty());
  Value *odd = ir.CreateAnd(ir.CreateLShr(word, 16), 1);
  Value *rounded = ir.CreateAdd(word, ir.CreateAdd(odd, ir.getInt32(0x7fff)));
  Value *quiet = ir.CreateOr(word, 0x400000); // a NaN stays one
  Value *kept = ir.CreateSelect(ir.CreateFCmpUNO(value, value), quiet, rounded);
  return ir.CreateBitCast(ir.CreateTrunc(ir.CreateLShr(kept, 16), ir.getInt16Ty()), bfloat);
}

/// Rounds a double to a float so that a second rounding, to BFloat16, gives what one rounding would: to odd.
Value *rounded_to_odd(llvm::IRBuilder<> &ir, Value *value) {
  Value *near = ir.CreateFPTrunc(value, ir.getFloatTy());
  Value *back = ir.CreateFPExt(near, ir.getDoubleTy());
  llvm::Type *i32 = ir.getInt32Ty();
  Value *bits = ir.CreateBitCast(near, i32);
  Value *is_exact = ir.CreateFCmpUEQ(back, value);
  Value *is_odd = ir.CreateTrunc(bits, ir.getInt1Ty());
  // The rounded value is on the wrong side if its magnitude is larger; then the next one towards zero is odd.
  auto magnitude = [&](Value *x) { return ir.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x); };
  Value *is_larger = ir.CreateFCmpOGT(magnitude(back), magnitude(value));
  Value *other =
      ir.CreateSelect(is_larger, ir.CreateSub(bits, ir.getInt32(1)), ir.CreateAdd(bits, ir.getInt32(1)));
  Value *kept = ir.CreateSelect(ir.CreateOr(is_exact, is_odd), bits, other);
  return ir.CreateBitCast(kept, ir.getFloatTy());
}

bool is_bfloat(const Value *value) { return value->getType()->isBFloatTy(); }

/// Replacement for an instruction that computes with BFloat16; null: it only moves values.
Value *replacement(llvm::IRBuilder<> &ir, llvm::Instruction &at) {
  llvm::Type *type = at.getType();
  if (auto *compare = llvm::dyn_cast<llvm::FCmpInst>(&at))
    return is_bfloat(compare->getOperand(0))
               ? ir.CreateFCmp(compare->getPredicate(), widened(ir, compare->getOperand(0)),
                               widened(ir, compare->getOperand(1)))
               : nullptr;
  if (llvm::isa<llvm::FPExtInst>(at))
    return is_bfloat(at.getOperand(0)) ? ir.CreateFPCast(widened(ir, at.getOperand(0)), type) : nullptr;
  if (llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(at) && is_bfloat(at.getOperand(0)))
    return ir.CreateCast(llvm::cast<llvm::CastInst>(at).getOpcode(), widened(ir, at.getOperand(0)), type);
  if (!type->isBFloatTy()) return nullptr;
  if (llvm::isa<llvm::FPTruncInst>(at)) {
    Value *from = at.getOperand(0);
    if (from->getType()->isDoubleTy()) from = rounded_to_odd(ir, from);
    return narrowed(ir, from->getType()->isHalfTy() ? ir.CreateFPExt(from, ir.getFloatTy()) : from, type);
  }
  if (llvm::isa<llvm::SIToFPInst, llvm::UIToFPInst>(at)) // at most 24 bits are exact in a float
    return narrowed(
        ir, ir.CreateCast(llvm::cast<llvm::CastInst>(at).getOpcode(), at.getOperand(0), ir.getFloatTy()),
        type);
  if (at.getOpcode() == llvm::Instruction::FNeg)
    return ir.CreateBitCast(ir.CreateXor(bits_of(ir, at.getOperand(0)), 0x8000), type);
  if (auto *binary = llvm::dyn_cast<llvm::BinaryOperator>(&at))
    return narrowed(
        ir, ir.CreateBinOp(binary->getOpcode(), widened(ir, at.getOperand(0)), widened(ir, at.getOperand(1))),
        type);
  if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&at)) {
    if (call->getIntrinsicID() == llvm::Intrinsic::fabs)
      return ir.CreateBitCast(ir.CreateAnd(bits_of(ir, call->getArgOperand(0)), 0x7fff), type);
    llvm::SmallVector<Value *, 3> operands;
    llvm::SmallVector<llvm::Type *, 1> overloads{ir.getFloatTy()};
    for (Value *operand : call->args())
      operands.push_back(is_bfloat(operand) ? widened(ir, operand) : operand);
    return narrowed(ir, ir.CreateIntrinsic(call->getIntrinsicID(), overloads, operands), type);
  }
  return nullptr;
}

} // namespace

void lower_bfloats(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      llvm::IRBuilder<> ir(&instruction);
      Value *other = replacement(ir, instruction);
      if (!other || other == &instruction) continue;
      instruction.replaceAllUsesWith(other);
      instruction.eraseFromParent();
    }
}

} // namespace kiln::spirv
