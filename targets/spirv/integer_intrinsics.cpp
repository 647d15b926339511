// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intrinsics on other integers and i1, as plain operations of the same width, or as the intrinsic of the next
// legal width.
#include "integer_stages.h"

#include <llvm/IR/InstIterator.h>

#include <utility>

namespace kiln::spirv {
namespace {

class IntrinsicLowering {
public:
  explicit IntrinsicLowering(llvm::IntrinsicInst &call)
      : builder_(&call), call_(call), id_(call.getIntrinsicID()), type_(call.getType()),
        x_(call.getArgOperand(0)), y_(call.arg_size() > 1 ? call.getArgOperand(1) : nullptr) {}

  /// The value of the call. Null: the intrinsic stays.
  llvm::Value *lower() {
    using namespace llvm;
    if (id_ == llvm::Intrinsic::ucmp || id_ == llvm::Intrinsic::scmp) return three_way();
    if (id_ == llvm::Intrinsic::fptoui_sat || id_ == llvm::Intrinsic::fptosi_sat)
      return is_other(type_) ? saturate_float() : nullptr;
    if (!is_other(x_->getType()) && !x_->getType()->isIntegerTy(1)) return nullptr;
    switch (id_) {
    case llvm::Intrinsic::umin: return choose(CmpInst::ICMP_ULT);
    case llvm::Intrinsic::umax: return choose(CmpInst::ICMP_UGT);
    case llvm::Intrinsic::smin: return choose(CmpInst::ICMP_SLT);
    case llvm::Intrinsic::smax: return choose(CmpInst::ICMP_SGT);
    case llvm::Intrinsic::abs: return builder_.CreateSelect(is_negative(x_), builder_.CreateNeg(x_), x_);
    case llvm::Intrinsic::uadd_sat: {
      llvm::Value *sum = builder_.CreateAdd(x_, y_);
      return builder_.CreateSelect(builder_.CreateICmpULT(sum, x_), Constant::getAllOnesValue(type_), sum);
    }
    case llvm::Intrinsic::usub_sat:
      return builder_.CreateSelect(builder_.CreateICmpULT(x_, y_), zero(), builder_.CreateSub(x_, y_));
    case llvm::Intrinsic::sadd_sat: return saturate_signed(true);
    case llvm::Intrinsic::ssub_sat: return saturate_signed(false);
    case llvm::Intrinsic::fshl:
    case llvm::Intrinsic::fshr: return funnel_shift();
    case llvm::Intrinsic::ctpop:
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::cttz:
    case llvm::Intrinsic::bswap:
    case llvm::Intrinsic::bitreverse: return is_wide(type_) ? nullptr : widen();
    default: return nullptr;
    }
  }

private:
  llvm::Constant *zero() const { return llvm::Constant::getNullValue(type_); }
  llvm::Constant *constant(const llvm::APInt &value) const { return llvm::ConstantInt::get(type_, value); }
  unsigned width() const { return type_->getIntegerBitWidth(); }

  llvm::Value *is_negative(llvm::Value *value) { return builder_.CreateICmpSLT(value, zero()); }

  llvm::Value *choose(llvm::CmpInst::Predicate predicate) {
    return builder_.CreateSelect(builder_.CreateICmp(predicate, x_, y_), x_, y_);
  }

  llvm::Value *three_way() {
    const bool is_signed = id_ == llvm::Intrinsic::scmp;
    llvm::Value *greater =
        builder_.CreateICmp(is_signed ? llvm::CmpInst::ICMP_SGT : llvm::CmpInst::ICMP_UGT, x_, y_);
    llvm::Value *less =
        builder_.CreateICmp(is_signed ? llvm::CmpInst::ICMP_SLT : llvm::CmpInst::ICMP_ULT, x_, y_);
    return builder_.CreateSub(builder_.CreateZExt(greater, type_), builder_.CreateZExt(less, type_));
  }

  llvm::Value *saturate_signed(bool is_add) {
    llvm::Value *value = is_add ? builder_.CreateAdd(x_, y_) : builder_.CreateSub(x_, y_);
    llvm::Value *signs = builder_.CreateAnd(builder_.CreateXor(x_, is_add ? value : y_),
                                            builder_.CreateXor(value, is_add ? y_ : x_));
    llvm::Value *bound =
        builder_.CreateSelect(is_negative(x_), constant(llvm::APInt::getSignedMinValue(width())),
                              constant(llvm::APInt::getSignedMaxValue(width())));
    return builder_.CreateSelect(is_negative(signs), bound, value);
  }

  llvm::Value *funnel_shift() {
    const bool is_left = id_ == llvm::Intrinsic::fshl;
    if (width() == 1) return is_left ? x_ : y_; // the amount is 0, modulo 1
    const llvm::APInt bits(max_width, width());
    llvm::Value *amount = call_.getArgOperand(2);
    // The width may not fit into the type: i3 holds it, i2 and powers of two need a mask.
    amount = llvm::isPowerOf2_32(width()) ? builder_.CreateAnd(amount, constant((bits - 1).trunc(width())))
                                          : builder_.CreateURem(amount, constant(bits.trunc(width())));
    llvm::Value *is_zero = builder_.CreateICmpEQ(amount, zero());
    llvm::Value *rest = builder_.CreateSub(constant(bits.trunc(width())), amount);
    llvm::Value *left = builder_.CreateShl(x_, is_left ? amount : rest);
    llvm::Value *right = builder_.CreateLShr(y_, is_left ? rest : amount);
    return builder_.CreateSelect(is_zero, is_left ? x_ : y_, builder_.CreateOr(left, right));
  }

  /// Uses the intrinsic of the next legal width on the zero-extended operand.
  llvm::Value *widen() {
    using namespace llvm;
    const unsigned promoted = promoted_width(width());
    llvm::Type *type = builder_.getIntNTy(promoted);
    llvm::Value *x = builder_.CreateZExt(x_, type);
    llvm::Value *result = nullptr;
    switch (id_) {
    case llvm::Intrinsic::ctpop: result = builder_.CreateUnaryIntrinsic(id_, x); break;
    case llvm::Intrinsic::ctlz:
      result = builder_.CreateSub(builder_.CreateBinaryIntrinsic(id_, x, y_),
                                  ConstantInt::get(type, promoted - width()));
      break;
    case llvm::Intrinsic::cttz: // a bit above the operand's stops the count
      x = builder_.CreateOr(x, ConstantInt::get(type, APInt::getOneBitSet(promoted, width())));
      result = builder_.CreateBinaryIntrinsic(id_, x, builder_.getTrue());
      break;
    default: result = builder_.CreateLShr(builder_.CreateUnaryIntrinsic(id_, x), promoted - width());
    }
    return builder_.CreateTrunc(result, type_);
  }

  /// Compares with the bounds as floats. A bound above the type's largest finite value becomes infinity,
  /// which only infinities reach.
  llvm::Value *saturate_float() {
    using namespace llvm;
    const bool is_signed = id_ == llvm::Intrinsic::fptosi_sat;
    llvm::Value *value = is_signed ? builder_.CreateFPToSI(x_, type_) : builder_.CreateFPToUI(x_, type_);
    APFloat bound(x_->getType()->getFltSemantics(), 1);
    bound = scalbn(bound, int(is_signed ? width() - 1 : width()), APFloat::rmNearestTiesToEven);
    Constant *above = ConstantFP::get(x_->getType(), bound), *below = ConstantFP::getZero(x_->getType());
    if (is_signed) below = ConstantFP::get(x_->getType(), -bound);
    const APInt least = is_signed ? APInt::getSignedMinValue(width()) : APInt::getZero(width());
    const APInt most = is_signed ? APInt::getSignedMaxValue(width()) : APInt::getMaxValue(width());
    value = builder_.CreateSelect(builder_.CreateFCmpOGE(x_, above), constant(most), value);
    value = builder_.CreateSelect(builder_.CreateFCmpOLE(x_, below), constant(least), value);
    return builder_.CreateSelect(builder_.CreateFCmpUNO(x_, x_), zero(), value);
  }

  llvm::IRBuilder<> builder_;
  llvm::IntrinsicInst &call_;
  llvm::Intrinsic::ID id_;
  llvm::Type *type_;
  llvm::Value *x_, *y_;
};

/// Swaps ever larger groups of bits, then the bytes.
llvm::Value *reverse_bits(llvm::IRBuilder<> &builder, llvm::Value *x) {
  llvm::Type *type = x->getType();
  const unsigned width = type->getScalarSizeInBits();
  for (const auto [count, bits] : {std::pair(1, 0x55), std::pair(2, 0x33), std::pair(4, 0x0f)}) {
    llvm::Constant *mask =
        llvm::ConstantInt::get(type, llvm::APInt::getSplat(width, llvm::APInt(8, uint64_t(bits))));
    llvm::Value *upper = builder.CreateShl(builder.CreateAnd(x, mask), uint64_t(count));
    x = builder.CreateOr(builder.CreateAnd(builder.CreateLShr(x, uint64_t(count)), mask), upper);
  }
  return width > 8 ? builder.CreateUnaryIntrinsic(llvm::Intrinsic::bswap, x) : x;
}

} // namespace

void lower_reversals(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!call || call->getIntrinsicID() != llvm::Intrinsic::bitreverse ||
        call->getType()->getScalarType()->isIntegerTy(1))
      continue;
    llvm::IRBuilder<> builder(call);
    call->replaceAllUsesWith(reverse_bits(builder, call->getArgOperand(0)));
    call->eraseFromParent();
  }
}

void lower_intrinsics(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!call || call->arg_size() == 0) continue;
    llvm::Value *value = IntrinsicLowering(*call).lower();
    if (!value) continue;
    call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
}

} // namespace kiln::spirv
