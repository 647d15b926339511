// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "linear.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Module.h>

namespace kiln {

namespace {

constexpr unsigned max_depth = 6;
/// Maximum step of a counter, so that step times a 32-bit iteration count fits into 64 bits.
constexpr int64_t max_step = int64_t(1) << 30;

unsigned bits_of(const llvm::SCEV *expression) {
  return llvm::cast<llvm::IntegerType>(expression->getType())->getBitWidth();
}

const llvm::SCEVConstant *small_constant(const llvm::SCEV *expression) {
  auto *constant = llvm::dyn_cast<llvm::SCEVConstant>(expression);
  return constant && constant->getAPInt().getSignificantBits() <= 31 &&
                 constant->getAPInt().abs().ule(max_step)
             ? constant
             : nullptr;
}

} // namespace

LinearEnds::LinearEnds(llvm::ScalarEvolution &evolution, llvm::Loop &loop, const llvm::SCEV *trips,
                       llvm::Instruction &point)
    : evolution_(evolution), loop_(loop), trip_count_(trips), point_(point), ir_(&point),
      expander_(evolution, "guard") {}

bool LinearEnds::supports(const llvm::SCEV *expression, unsigned depth) const {
  auto *type = llvm::dyn_cast<llvm::IntegerType>(expression->getType());
  if (!type || type->getBitWidth() > 64 || depth > max_depth) return false;
  if (evolution_.isLoopInvariant(expression, &loop_)) return expander_.isSafeToExpandAt(expression, &point_);
  if (auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(expression))
    return recurrence->getLoop() == &loop_ && recurrence->isAffine() &&
           small_constant(recurrence->getOperand(1)) &&
           expander_.isSafeToExpandAt(recurrence->getStart(), &point_);
  if (auto *cast = llvm::dyn_cast<llvm::SCEVIntegralCastExpr>(expression))
    return supports(cast->getOperand(), depth + 1);
  if (auto *sum = llvm::dyn_cast<llvm::SCEVAddExpr>(expression))
    return llvm::all_of(sum->operands(),
                        [&](const llvm::SCEV *operand) { return supports(operand, depth + 1); });
  if (auto *product = llvm::dyn_cast<llvm::SCEVMulExpr>(expression))
    return product->getNumOperands() == 2 && small_constant(product->getOperand(0)) &&
           supports(product->getOperand(1), depth + 1);
  return false;
}

Ends LinearEnds::ends(const llvm::SCEV *expression, bool as_signed) {
  const unsigned bits = bits_of(expression);
  llvm::Type *i64 = ir_.getInt64Ty();
  if (evolution_.isLoopInvariant(expression, &loop_)) {
    llvm::Value *value = expand(expression);
    llvm::Value *wide = as_signed ? ir_.CreateSExt(value, i64) : ir_.CreateZExt(value, i64);
    if (bits == 64) require_fits(wide, bits, as_signed);
    return {wide, wide};
  }
  if (auto *affine = llvm::dyn_cast<llvm::SCEVAddRecExpr>(expression)) return recurrence(*affine, as_signed);
  if (auto *total = llvm::dyn_cast<llvm::SCEVAddExpr>(expression)) return sum(*total, as_signed);
  Ends values;
  if (auto *product = llvm::dyn_cast<llvm::SCEVMulExpr>(expression)) {
    llvm::Value *factor =
        ir_.getInt64(uint64_t(small_constant(product->getOperand(0))->getAPInt().getSExtValue()));
    Ends operand = ends(product->getOperand(1), as_signed);
    values = {exact(llvm::Intrinsic::smul_with_overflow, operand.first, factor),
              exact(llvm::Intrinsic::smul_with_overflow, operand.last, factor)};
  } else {
    auto *cast = llvm::cast<llvm::SCEVIntegralCastExpr>(expression);
    const bool truncates = llvm::isa<llvm::SCEVTruncateExpr>(cast);
    const bool operand_signed = truncates ? as_signed : llvm::isa<llvm::SCEVSignExtendExpr>(cast);
    values = ends(cast->getOperand(), operand_signed);
    // an extension to a wider type fits always
    if (!truncates && (as_signed || !operand_signed)) return values;
  }
  require_fits(values, bits, as_signed);
  return values;
}

Ends LinearEnds::recurrence(const llvm::SCEVAddRecExpr &expression, bool as_signed) {
  const unsigned bits = bits_of(&expression);
  llvm::Value *start = expand(expression.getStart());
  llvm::Value *first =
      as_signed ? ir_.CreateSExt(start, ir_.getInt64Ty()) : ir_.CreateZExt(start, ir_.getInt64Ty());
  llvm::Value *step =
      ir_.getInt64(uint64_t(small_constant(expression.getOperand(1))->getAPInt().getSExtValue()));
  llvm::Value *distance = ir_.CreateMul(trips(), step);
  llvm::Value *last = exact(llvm::Intrinsic::sadd_with_overflow, first, distance);
  require_fits({first, last}, bits, as_signed);
  return {first, last};
}

Ends LinearEnds::sum(const llvm::SCEVAddExpr &expression, bool as_signed) {
  // Treat all operands as signed, since an operand of an unsigned sum may be negative. Both give the same sum
  // modulo the width.
  Ends total{};
  for (const llvm::SCEV *operand : expression.operands()) {
    Ends values = ends(operand, true);
    total = total.first ? Ends{exact(llvm::Intrinsic::sadd_with_overflow, total.first, values.first),
                               exact(llvm::Intrinsic::sadd_with_overflow, total.last, values.last)}
                        : values;
  }
  require_fits(total, bits_of(&expression), as_signed);
  return total;
}

/// Emits the value of an expression before the loop, frozen if it may be poison. A condition that the loop
/// never reaches may be poison, and must not make other checks poison.
llvm::Value *LinearEnds::expand(const llvm::SCEV *expression) {
  llvm::Value *value = expander_.expandCodeFor(expression, expression->getType(), &point_);
  return llvm::isGuaranteedNotToBeUndefOrPoison(value) ? value : ir_.CreateFreeze(value);
}

llvm::Value *LinearEnds::trips() {
  if (trips_) return trips_;
  trips_ = ir_.CreateZExt(expand(trip_count_), ir_.getInt64Ty());
  if (bits_of(trip_count_) > 32) require(ir_.CreateICmpULE(trips_, ir_.getInt64(UINT32_MAX)));
  return trips_;
}

llvm::Value *LinearEnds::exact(llvm::Intrinsic::ID operation, llvm::Value *left, llvm::Value *right) {
  llvm::Value *both = ir_.CreateBinaryIntrinsic(operation, left, right);
  require(ir_.CreateNot(ir_.CreateExtractValue(both, 1)));
  return ir_.CreateExtractValue(both, 0);
}

void LinearEnds::require_fits(llvm::Value *value, unsigned bits, bool as_signed) {
  if (!as_signed)
    // Unsigned values of 2^63 and above do not fit.
    require(bits == 64 ? ir_.CreateICmpSGE(value, ir_.getInt64(0))
                       : ir_.CreateICmpULT(value, ir_.getInt64(uint64_t(1) << bits)));
  else if (bits < 64)
    require(ir_.CreateICmpEQ(value,
                             ir_.CreateSExt(ir_.CreateTrunc(value, ir_.getIntNTy(bits)), ir_.getInt64Ty())));
}

void LinearEnds::require_fits(Ends values, unsigned bits, bool as_signed) {
  require_fits(values.first, bits, as_signed);
  if (values.last != values.first) require_fits(values.last, bits, as_signed);
}

llvm::Value *LinearEnds::all_checks() { return checks_.empty() ? ir_.getTrue() : ir_.CreateAnd(checks_); }

} // namespace kiln
