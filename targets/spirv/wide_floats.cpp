// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "integer_stages.h"

namespace kiln::spirv {
namespace {

using llvm::Value;

bool is_supported(const llvm::Type *type) {
  return type->isHalfTy() || type->isBFloatTy() || type->isFloatTy() || type->isDoubleTy();
}

/// 2^exponent, for i64 exponents of the type's normal numbers.
Value *power_of_two(llvm::IRBuilder<> &builder, Value *exponent, llvm::Type *type) {
  const unsigned mantissa = type->isDoubleTy() ? 52 : 23, bias = type->isDoubleTy() ? 1023 : 127;
  Value *bits = builder.CreateShl(builder.CreateAdd(exponent, builder.getInt64(bias)), mantissa);
  bits = builder.CreateTrunc(bits, builder.getIntNTy(type->getScalarSizeInBits()));
  return builder.CreateBitCast(bits, type);
}

/// Converts a value of at least 2^64: rounds its upper 64 significant bits, then scales by a power of two. If
/// lower bits are lost, the last of the 64 is set, so that the conversion sees no tie.
Value *large_to_float(llvm::IRBuilder<> &builder, Halves x, llvm::Type *type) {
  if (type->isHalfTy()) return llvm::ConstantFP::getInfinity(type);
  Value *zeros = builder.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, x.high, builder.getFalse());
  const Halves top = shift(builder, llvm::Instruction::Shl, x, builder.CreateAnd(zeros, 63));
  Value *lost = builder.CreateZExt(builder.CreateICmpNE(top.low, builder.getInt64(0)), builder.getInt64Ty());
  Value *rounded = builder.CreateUIToFP(builder.CreateOr(top.high, lost), type);
  // Scaling is exact, or overflows to infinity. Float has bfloat's range.
  llvm::Type *scaled_type = type->isDoubleTy() ? type : builder.getFloatTy();
  Value *scale = power_of_two(builder, builder.CreateSub(builder.getInt64(64), zeros), scaled_type);
  return builder.CreateFPTrunc(builder.CreateFMul(builder.CreateFPExt(rounded, scaled_type), scale), type);
}

Value *unsigned_to_float(llvm::IRBuilder<> &builder, Halves x, llvm::Type *type) {
  Value *large = large_to_float(builder, x, type);
  Value *is_small = builder.CreateICmpEQ(x.high, builder.getInt64(0));
  return builder.CreateSelect(is_small, builder.CreateUIToFP(x.low, type), large);
}

/// Converts a value above -1. All steps are exact but the two truncations.
Halves unsigned_from_float(llvm::IRBuilder<> &builder, Value *x) {
  llvm::Type *type = x->getType(), *half = builder.getInt64Ty();
  Value *high = builder.CreateFPToUI(builder.CreateFMul(x, llvm::ConstantFP::get(type, 0x1p-64)), half);
  Value *upper = builder.CreateFMul(builder.CreateUIToFP(high, type), llvm::ConstantFP::get(type, 0x1p64));
  return {builder.CreateFPToUI(builder.CreateFSub(x, upper), half), high};
}

} // namespace

Value *to_float(llvm::IRBuilder<> &builder, bool is_signed, Halves x, llvm::Type *type) {
  if (!is_supported(type)) return nullptr;
  if (!is_signed) return unsigned_to_float(builder, x, type);
  Value *is_negative = builder.CreateICmpSLT(x.high, builder.getInt64(0));
  Value *magnitude = unsigned_to_float(builder, select(builder, is_negative, negate(builder, x), x), type);
  return builder.CreateSelect(is_negative, builder.CreateFNeg(magnitude), magnitude);
}

Halves from_float(llvm::IRBuilder<> &builder, bool is_signed, Value *x) {
  if (!is_supported(x->getType())) return {};
  if (!x->getType()->isDoubleTy()) x = builder.CreateFPExt(x, builder.getFloatTy());
  if (!is_signed) return unsigned_from_float(builder, x);
  Value *is_negative = builder.CreateFCmpOLT(x, llvm::ConstantFP::getZero(x->getType()));
  const Halves magnitude =
      unsigned_from_float(builder, builder.CreateSelect(is_negative, builder.CreateFNeg(x), x));
  return select(builder, is_negative, negate(builder, magnitude), magnitude);
}

} // namespace kiln::spirv
