// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations with an overflow flag, of any width. LLVM 22's SPIR-V back-end lacks the signed ones.
#include "builtins.h"
#include "integer_stages.h"

#include <llvm/IR/InstIterator.h>

namespace kiln::spirv {
namespace {

struct Checked {
  llvm::Value *value, *overflow;
};

llvm::Value *extend(llvm::IRBuilder<> &builder, bool is_signed, llvm::Value *value, unsigned width) {
  llvm::Type *type = value->getType()->getWithNewBitWidth(width);
  return is_signed ? builder.CreateSExt(value, type) : builder.CreateZExt(value, type);
}

Checked multiply(llvm::IRBuilder<> &builder, bool is_signed, llvm::Value *x, llvm::Value *y);

/// Multiplies in a larger width. The result overflows if it changes when cut to the original width.
Checked multiply_extended(llvm::IRBuilder<> &builder, bool is_signed, llvm::Value *x, llvm::Value *y,
                          unsigned width) {
  const Checked product = multiply(builder, is_signed, extend(builder, is_signed, x, width),
                                   extend(builder, is_signed, y, width));
  llvm::Value *value = builder.CreateTrunc(product.value, x->getType());
  llvm::Value *lost = builder.CreateICmpNE(extend(builder, is_signed, value, width), product.value);
  return {value, builder.CreateOr(product.overflow, lost)};
}

Checked multiply_elements(llvm::IRBuilder<> &builder, bool is_signed, llvm::Value *x, llvm::Value *y,
                          const llvm::FixedVectorType &type) {
  llvm::Value *value = llvm::PoisonValue::get(x->getType());
  llvm::Value *overflow = llvm::PoisonValue::get(llvm::CmpInst::makeCmpResultType(x->getType()));
  for (unsigned i = 0; i < type.getNumElements(); i++) {
    const Checked element =
        multiply(builder, is_signed, builder.CreateExtractElement(x, i), builder.CreateExtractElement(y, i));
    value = builder.CreateInsertElement(value, element.value, i);
    overflow = builder.CreateInsertElement(overflow, element.overflow, i);
  }
  return {value, overflow};
}

/// At most one upper half may be non-zero: their product has no place in 128 bits.
Checked multiply_wide_unsigned(llvm::IRBuilder<> &builder, llvm::Value *x, llvm::Value *y) {
  llvm::Type *half = builder.getInt64Ty();
  auto low = [&](llvm::Value *value) { return builder.CreateTrunc(value, half); };
  auto high = [&](llvm::Value *value) { return builder.CreateTrunc(builder.CreateLShr(value, 64), half); };
  llvm::Value *x_low = low(x), *x_high = high(x), *y_low = low(y), *y_high = high(y);
  llvm::Value *zero = builder.getInt64(0);
  const Checked left = multiply(builder, false, x_high, y_low),
                right = multiply(builder, false, x_low, y_high);
  llvm::Value *cross = builder.CreateAdd(left.value, right.value);
  llvm::Value *upper = multiply_high(builder, false, x_low, y_low);
  llvm::Value *carry = builder.CreateICmpULT(builder.CreateAdd(upper, cross), cross);
  llvm::Value *both =
      builder.CreateAnd(builder.CreateICmpNE(x_high, zero), builder.CreateICmpNE(y_high, zero));
  llvm::Value *overflow =
      builder.CreateOr(builder.CreateOr(left.overflow, right.overflow), builder.CreateOr(carry, both));
  return {builder.CreateMul(x, y), overflow};
}

/// Multiplies the absolute values. Their product fits if it is at most 2^127, or less for positive results.
Checked multiply_wide_signed(llvm::IRBuilder<> &builder, llvm::Value *x, llvm::Value *y) {
  llvm::Type *type = x->getType();
  llvm::Value *zero = llvm::Constant::getNullValue(type);
  llvm::Value *x_negative = builder.CreateICmpSLT(x, zero), *y_negative = builder.CreateICmpSLT(y, zero);
  const Checked product =
      multiply_wide_unsigned(builder, builder.CreateSelect(x_negative, builder.CreateNeg(x), x),
                             builder.CreateSelect(y_negative, builder.CreateNeg(y), y));
  llvm::Value *negative = builder.CreateXor(x_negative, y_negative);
  const llvm::APInt most = llvm::APInt::getSignedMaxValue(max_width);
  llvm::Value *bound = builder.CreateSelect(negative, llvm::ConstantInt::get(type, most + 1),
                                            llvm::ConstantInt::get(type, most));
  return {builder.CreateSelect(negative, builder.CreateNeg(product.value), product.value),
          builder.CreateOr(product.overflow, builder.CreateICmpUGT(product.value, bound))};
}

Checked multiply(llvm::IRBuilder<> &builder, bool is_signed, llvm::Value *x, llvm::Value *y) {
  llvm::Type *type = x->getType();
  if (const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return multiply_elements(builder, is_signed, x, y, *vector);
  const unsigned width = type->getIntegerBitWidth();
  if (width <= 32) {
    const unsigned product_width = promoted_width(2 * width);
    llvm::Value *product = builder.CreateMul(extend(builder, is_signed, x, product_width),
                                             extend(builder, is_signed, y, product_width));
    llvm::Value *value = builder.CreateTrunc(product, type);
    return {value, builder.CreateICmpNE(extend(builder, is_signed, value, product_width), product)};
  }
  if (width == max_width)
    return is_signed ? multiply_wide_signed(builder, x, y) : multiply_wide_unsigned(builder, x, y);
  if (width != 64) return multiply_extended(builder, is_signed, x, y, promoted_width(width));
  llvm::Value *value = builder.CreateMul(x, y);
  llvm::Value *fitting = is_signed ? builder.CreateAShr(value, 63) : builder.getInt64(0);
  return {value, builder.CreateICmpNE(multiply_high(builder, is_signed, x, y), fitting)};
}

Checked add_or_subtract(llvm::IRBuilder<> &builder, bool is_signed, bool is_add, llvm::Value *x,
                        llvm::Value *y) {
  llvm::Value *value = is_add ? builder.CreateAdd(x, y) : builder.CreateSub(x, y);
  if (!is_signed) return {value, is_add ? builder.CreateICmpULT(value, x) : builder.CreateICmpULT(x, y)};
  // A sum overflows if its sign differs from both operands' signs. A difference overflows if the operands'
  // signs differ, and the result's sign differs from the first operand's.
  llvm::Value *other = builder.CreateXor(x, is_add ? value : y);
  llvm::Value *changed = builder.CreateXor(value, is_add ? y : x);
  llvm::Value *signs = builder.CreateAnd(other, changed);
  return {value, builder.CreateICmpSLT(signs, llvm::Constant::getNullValue(x->getType()))};
}

void replace(llvm::WithOverflowInst &call) {
  llvm::IRBuilder<> builder(&call);
  const auto operation = call.getBinaryOp();
  llvm::Value *x = call.getLHS(), *y = call.getRHS();
  const Checked checked =
      operation == llvm::Instruction::Mul
          ? multiply(builder, call.isSigned(), x, y)
          : add_or_subtract(builder, call.isSigned(), operation == llvm::Instruction::Add, x, y);
  for (llvm::User *user : llvm::make_early_inc_range(call.users()))
    if (auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(user)) {
      extract->replaceAllUsesWith(extract->getIndices()[0] == 0 ? checked.value : checked.overflow);
      extract->eraseFromParent();
    }
  if (!call.use_empty()) {
    llvm::Value *both = builder.CreateInsertValue(llvm::PoisonValue::get(call.getType()), checked.value, {0});
    call.replaceAllUsesWith(builder.CreateInsertValue(both, checked.overflow, {1}));
  }
  call.eraseFromParent();
}

} // namespace

llvm::Value *multiply_high(llvm::IRBuilder<> &builder, bool is_signed, llvm::Value *x, llvm::Value *y) {
  return call_pure_builtin(builder, is_signed ? "_Z6mul_hill" : "_Z6mul_himm", builder.getInt64Ty(), {x, y});
}

void lower_overflow(llvm::Function &function) {
  llvm::SmallVector<llvm::WithOverflowInst *, 8> calls;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::WithOverflowInst>(&instruction)) calls.push_back(call);
  for (llvm::WithOverflowInst *call : calls) replace(*call);
}

} // namespace kiln::spirv
