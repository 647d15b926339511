// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wide_conversions.h"

namespace kiln {

namespace {

/// x * 2^exponent, computed on x's exponent bits. x is 0 or, like the product, a normal number, or the
/// product is just infinite. A multiplication could be fused into an addition without rounding.
llvm::Value *scaled(llvm::IRBuilder<> &b, llvm::Value *x, llvm::Value *exponent) {
  const bool is_double = x->getType()->isDoubleTy();
  llvm::Type *bits = b.getIntNTy(is_double ? 64 : 32);
  llvm::Value *raised = b.CreateAdd(b.CreateBitCast(x, bits),
                                    b.CreateShl(b.CreateZExtOrTrunc(exponent, bits), is_double ? 52 : 23));
  llvm::Value *is_zero = b.CreateFCmpOEQ(x, llvm::ConstantFP::getZero(x->getType()));
  return b.CreateSelect(is_zero, x, b.CreateBitCast(raised, x->getType()));
}

/// Leading bits of x, with all dropped bits combined into the lowest bit (sticky), for correct rounding.
llvm::Value *leading_bits(llvm::IRBuilder<> &b, llvm::Value *x, unsigned dropped, llvm::Type *to) {
  llvm::Value *rest = b.CreateAnd(
      x, llvm::ConstantInt::get(x->getType(),
                                llvm::APInt::getLowBitsSet(x->getType()->getIntegerBitWidth(), dropped)));
  llvm::Value *sticky = b.CreateZExt(b.CreateICmpNE(rest, llvm::ConstantInt::get(x->getType(), 0)), to);
  return b.CreateOr(b.CreateTrunc(b.CreateLShr(x, dropped), to), sticky);
}

} // namespace

llvm::Value *wide_to_float(llvm::IRBuilder<> &b, llvm::Value *x, llvm::Type *to, bool is_signed) {
  llvm::Type *wide = x->getType(), *i64 = b.getInt64Ty();
  llvm::Value *zero = llvm::ConstantInt::get(wide, 0);
  llvm::Value *is_negative = is_signed ? b.CreateICmpSLT(x, zero) : b.getFalse();
  llvm::Value *magnitude = b.CreateSelect(is_negative, b.CreateNeg(x), x);
  llvm::Value *result;
  if (to->isHalfTy()) { // 65520 and above round to infinity; Float32 represents smaller values exactly
    llvm::Value *limit = llvm::ConstantInt::get(wide, 1 << 17);
    llvm::Value *small =
        b.CreateTrunc(b.CreateSelect(b.CreateICmpULT(magnitude, limit), magnitude, limit), b.getInt32Ty());
    result = b.CreateFPTrunc(b.CreateUIToFP(small, b.getFloatTy()), to);
  } else {
    // Normalise: the highest bit moves to the top. Keep 64 bits; for BFloat16, 24 bits, so that the
    // conversion before the final rounding is exact.
    llvm::Value *shift = b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, magnitude, b.getFalse());
    llvm::Value *by = b.CreateAnd(shift, llvm::ConstantInt::get(wide, 127)); // a shift by 0 for zero
    llvm::Value *high = leading_bits(b, b.CreateShl(magnitude, by), 64, i64);
    const unsigned dropped = to->isBFloatTy() ? 40 : 0;
    if (dropped) high = leading_bits(b, high, dropped, i64);
    llvm::Type *computed = to->isDoubleTy() ? to : b.getFloatTy();
    llvm::Value *exponent = b.CreateSub(b.getInt64(64 + dropped), b.CreateTrunc(by, i64));
    result = scaled(b, b.CreateUIToFP(high, computed), exponent);
    if (to != computed) result = b.CreateFPTrunc(result, to);
  }
  return is_signed ? b.CreateSelect(is_negative, b.CreateFNeg(result), result) : result;
}

llvm::Value *float_to_wide(llvm::IRBuilder<> &b, llvm::Value *x) {
  if (x->getType()->isBFloatTy() || x->getType()->isHalfTy()) x = b.CreateFPExt(x, b.getFloatTy());
  if (!x->getType()->isDoubleTy()) x = b.CreateFPExt(x, b.getDoubleTy());
  llvm::Type *i64 = b.getInt64Ty(), *wide = b.getInt128Ty();
  llvm::Value *bits = b.CreateBitCast(x, i64);
  llvm::Value *exponent = b.CreateSub(b.CreateAnd(b.CreateLShr(bits, 52), 0x7ff), b.getInt64(1023));
  llvm::Value *fraction = b.CreateAnd(bits, (uint64_t(1) << 52) - 1);
  llvm::Value *mantissa = b.CreateOr(fraction, b.getInt64(uint64_t(1) << 52));
  // Mask shift amounts below the width. A result of a masked amount is not selected, or out of range.
  llvm::Value *left = b.CreateAnd(b.CreateSub(exponent, b.getInt64(52)), 127),
              *right = b.CreateAnd(b.CreateSub(b.getInt64(52), exponent), 63);
  llvm::Value *large = b.CreateShl(b.CreateZExt(mantissa, wide), b.CreateZExt(left, wide));
  llvm::Value *small = b.CreateZExt(b.CreateLShr(mantissa, right), wide);
  llvm::Value *magnitude = b.CreateSelect(b.CreateICmpSGE(exponent, b.getInt64(52)), large, small);
  magnitude =
      b.CreateSelect(b.CreateICmpSLT(exponent, b.getInt64(0)), llvm::ConstantInt::get(wide, 0), magnitude);
  return b.CreateSelect(b.CreateICmpSLT(bits, b.getInt64(0)), b.CreateNeg(magnitude), magnitude);
}

} // namespace kiln
