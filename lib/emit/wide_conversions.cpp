// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wide_conversions.h"

namespace kiln {

namespace {

/// Returns x * 2^exponent by adding to x's exponent bits. x must be 0 or a normal number, and the product
/// normal or just infinite. A multiplication is not used, since it could be fused with a later addition.
llvm::Value *scaled(llvm::IRBuilder<> &b, llvm::Value *x, llvm::Value *exponent) {
  const bool is_double = x->getType()->isDoubleTy();
  llvm::Type *bits = b.getIntNTy(is_double ? 64 : 32);
  llvm::Value *raised = b.CreateAdd(b.CreateBitCast(x, bits),
                                    b.CreateShl(b.CreateZExtOrTrunc(exponent, bits), is_double ? 52 : 23));
  llvm::Value *is_zero = b.CreateFCmpOEQ(x, llvm::ConstantFP::getZero(x->getType()));
  return b.CreateSelect(is_zero, x, b.CreateBitCast(raised, x->getType()));
}

/// Drops the low bits of x and ORs them into the lowest bit that remains (sticky bit), for correct rounding.
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
  if (to->isHalfTy()) { // 65520 and above round to infinity, and Float32 holds smaller integers exactly
    llvm::Value *limit = llvm::ConstantInt::get(wide, 1 << 17);
    llvm::Value *small =
        b.CreateTrunc(b.CreateSelect(b.CreateICmpULT(magnitude, limit), magnitude, limit), b.getInt32Ty());
    result = b.CreateFPTrunc(b.CreateUIToFP(small, b.getFloatTy()), to);
  } else {
    // Normalise: shift the highest set bit to the top. Keep 64 bits, or 24 bits for BFloat16, so that the
    // conversion to Float32 before the final rounding is exact.
    llvm::Value *shift = b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, magnitude, b.getFalse());
    // Ctlz of 0 is 128: shift by 0 instead.
    llvm::Value *by = b.CreateAnd(shift, llvm::ConstantInt::get(wide, 127));
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
  // Mask the shift amounts, since larger ones give poison. Where the mask changes an amount, the shifted
  // value is not selected, or the result is out of range.
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
