// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "integer_stages.h"

namespace kiln::spirv {

using llvm::CmpInst;
using llvm::Value;

Halves add(llvm::IRBuilder<> &builder, Halves x, Halves y) {
  Value *low = builder.CreateAdd(x.low, y.low);
  Value *carry = builder.CreateZExt(builder.CreateICmpULT(low, x.low), low->getType());
  return {low, builder.CreateAdd(builder.CreateAdd(x.high, y.high), carry)};
}

Halves subtract(llvm::IRBuilder<> &builder, Halves x, Halves y) {
  Value *borrow = builder.CreateZExt(builder.CreateICmpULT(x.low, y.low), x.low->getType());
  return {builder.CreateSub(x.low, y.low), builder.CreateSub(builder.CreateSub(x.high, y.high), borrow)};
}

Halves multiply(llvm::IRBuilder<> &builder, Halves x, Halves y) {
  Value *cross = builder.CreateAdd(builder.CreateMul(x.low, y.high), builder.CreateMul(x.high, y.low));
  return {builder.CreateMul(x.low, y.low),
          builder.CreateAdd(multiply_high(builder, false, x.low, y.low), cross)};
}

Halves shift(llvm::IRBuilder<> &builder, llvm::Instruction::BinaryOps opcode, Halves x, Value *amount) {
  using llvm::Instruction;
  const bool is_left = opcode == Instruction::Shl;
  Value *from = is_left ? x.low : x.high, *to = is_left ? x.high : x.low; // bits move out of `from` into `to`
  const auto back = is_left ? Instruction::LShr : Instruction::Shl;
  Value *small = builder.CreateAnd(amount, 63);
  // Two shifts, so that none is by 64 if the amount is 0.
  Value *moved = builder.CreateBinOp(back, builder.CreateBinOp(back, from, builder.getInt64(1)),
                                     builder.CreateXor(small, builder.getInt64(63)));
  const auto forward = is_left ? Instruction::Shl : Instruction::LShr;
  Value *near = builder.CreateOr(builder.CreateBinOp(forward, to, small), moved);
  Value *shifted = builder.CreateBinOp(opcode, from, small);
  Value *is_small = builder.CreateICmpULT(amount, builder.getInt64(64));
  Value *fill = opcode == Instruction::AShr ? builder.CreateAShr(from, 63) : builder.getInt64(0);
  Value *source = builder.CreateSelect(is_small, shifted, fill);
  Value *target = builder.CreateSelect(is_small, near, shifted);
  return is_left ? Halves{source, target} : Halves{target, source};
}

Halves select(llvm::IRBuilder<> &builder, Value *condition, Halves x, Halves y) {
  return {builder.CreateSelect(condition, x.low, y.low), builder.CreateSelect(condition, x.high, y.high)};
}

Halves negate(llvm::IRBuilder<> &builder, Halves x) {
  return subtract(builder, {builder.getInt64(0), builder.getInt64(0)}, x);
}

Value *compare(llvm::IRBuilder<> &builder, CmpInst::Predicate predicate, Halves x, Halves y) {
  if (CmpInst::isEquality(predicate)) {
    Value *different = builder.CreateOr(builder.CreateXor(x.low, y.low), builder.CreateXor(x.high, y.high));
    return builder.CreateICmp(predicate, different, builder.getInt64(0));
  }
  Value *low = builder.CreateICmp(llvm::ICmpInst::getUnsignedPredicate(predicate), x.low, y.low);
  Value *high = builder.CreateICmp(predicate, x.high, y.high);
  return builder.CreateSelect(builder.CreateICmpEQ(x.high, y.high), low, high);
}

Halves count_or_reverse(llvm::IRBuilder<> &builder, llvm::Intrinsic::ID intrinsic, Halves x) {
  using llvm::Intrinsic::ctlz, llvm::Intrinsic::cttz;
  Value *zero = builder.getInt64(0);
  auto apply = [&](Value *half) {
    return intrinsic == ctlz || intrinsic == cttz
               ? builder.CreateBinaryIntrinsic(intrinsic, half, builder.getFalse())
               : builder.CreateUnaryIntrinsic(intrinsic, half);
  };
  switch (intrinsic) {
  case llvm::Intrinsic::ctpop: return {builder.CreateAdd(apply(x.low), apply(x.high)), zero};
  case ctlz:
  case cttz: {
    Value *first = intrinsic == ctlz ? x.high : x.low, *second = intrinsic == ctlz ? x.low : x.high;
    Value *later = builder.CreateAdd(apply(second), builder.getInt64(64));
    return {builder.CreateSelect(builder.CreateICmpEQ(first, zero), later, apply(first)), zero};
  }
  case llvm::Intrinsic::bswap:
  case llvm::Intrinsic::bitreverse: return {apply(x.high), apply(x.low)};
  default: return {};
  }
}

} // namespace kiln::spirv
