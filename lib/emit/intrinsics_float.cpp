// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point intrinsics. Each operation rounds separately, unless the job allows fused multiply-add.
// @fastmath, or a job with fast_math, gives up all guarantees of IEEE 754.
#include "emitter.h"

namespace kiln {

llvm::Value *Emitter::relax(llvm::Value *value, bool fast) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || !llvm::isa<llvm::FPMathOperator>(instruction)) return value;
  llvm::FastMathFlags flags;
  if (fast || job_.config.target.fast_math)
    flags.setFast();
  else if (job_.config.target.contracts(capabilities_.fuses_operations))
    flags.setAllowContract();
  instruction->setFastMathFlags(flags);
  return value;
}

/// IEEE 754-2019 minimum or maximum: the result is NaN if an operand is, and -0 < +0.
llvm::Value *Emitter::minimum(llvm::Value *x, llvm::Value *y, bool maximum) {
  if (capabilities_.nan_minmax && !x->getType()->isDoubleTy())
    return b_.CreateBinaryIntrinsic(maximum ? llvm::Intrinsic::maximum : llvm::Intrinsic::minimum, x, y);
  llvm::Type *bits = b_.getIntNTy(x->getType()->getScalarSizeInBits());
  llvm::Value *a = b_.CreateBitCast(x, bits), *b = b_.CreateBitCast(y, bits);
  // Equal numbers have equal bits, except +0 and -0: combine their sign bits.
  llvm::Value *equal = b_.CreateBitCast(maximum ? b_.CreateAnd(a, b) : b_.CreateOr(a, b), x->getType());
  llvm::Value *first = maximum ? b_.CreateFCmpOGT(x, y) : b_.CreateFCmpOLT(x, y);
  llvm::Value *ordered = b_.CreateSelect(b_.CreateFCmpOEQ(x, y), equal, b_.CreateSelect(first, x, y));
  return b_.CreateSelect(b_.CreateFCmpUNO(x, y), b_.CreateFAdd(x, y), ordered);
}

std::optional<EmittedValue> Emitter::float_intrinsic(IntrinsicCall &call) {
  if (call.id < Intrinsic::neg_float || call.id > Intrinsic::rint_llvm) return {};
  for (EmittedValue arg : call.args)
    if (!arg.is(Kind::Scalar) || arg.shape != call.args[0].shape ||
        !arg.shape->leaves[0]->isFloatingPointTy())
      return bad(call, "expected floats of one type");
  llvm::Value *x = call.args[0].scalar();
  llvm::Value *y = call.args.size() > 1 ? call.args[1].scalar() : nullptr;
  auto same = [&](llvm::Value *v) { return make(call.args[0].shape, v); };
  auto exact = [&](llvm::Value *v) { return same(job_.config.target.fast_math ? relax(v, true) : v); };
  auto compare = [&](llvm::CmpInst::Predicate p, bool fast) {
    llvm::Value *v = b_.CreateFCmp(p, x, y);
    return boolean(fast || job_.config.target.fast_math ? relax(v, true) : v);
  };
  namespace I = llvm::Intrinsic;
  using P = llvm::CmpInst::Predicate;
  switch (call.id) {
  case Intrinsic::neg_float: return exact(b_.CreateFNeg(x));
  case Intrinsic::add_float: return same(relax(b_.CreateFAdd(x, y), false));
  case Intrinsic::sub_float: return same(relax(b_.CreateFSub(x, y), false));
  case Intrinsic::mul_float: return same(relax(b_.CreateFMul(x, y), false));
  case Intrinsic::div_float: return exact(b_.CreateFDiv(x, y));
  case Intrinsic::rem_float: return exact(b_.CreateFRem(x, y));
  case Intrinsic::fma_float:
    return exact(b_.CreateIntrinsic(I::fma, {x->getType()}, {x, y, call.args[2].scalar()}));
  case Intrinsic::muladd_float:
    return same(relax(b_.CreateIntrinsic(I::fmuladd, {x->getType()}, {x, y, call.args[2].scalar()}), false));
  case Intrinsic::neg_float_fast: return same(relax(b_.CreateFNeg(x), true));
  case Intrinsic::add_float_fast: return same(relax(b_.CreateFAdd(x, y), true));
  case Intrinsic::sub_float_fast: return same(relax(b_.CreateFSub(x, y), true));
  case Intrinsic::mul_float_fast: return same(relax(b_.CreateFMul(x, y), true));
  case Intrinsic::div_float_fast: return same(relax(b_.CreateFDiv(x, y), true));
  case Intrinsic::rem_float_fast: return same(relax(b_.CreateFRem(x, y), true));
  case Intrinsic::eq_float: return compare(P::FCMP_OEQ, false);
  case Intrinsic::ne_float: return compare(P::FCMP_UNE, false);
  case Intrinsic::lt_float: return compare(P::FCMP_OLT, false);
  case Intrinsic::le_float: return compare(P::FCMP_OLE, false);
  case Intrinsic::eq_float_fast: return compare(P::FCMP_OEQ, true);
  case Intrinsic::ne_float_fast: return compare(P::FCMP_UNE, true);
  case Intrinsic::lt_float_fast: return compare(P::FCMP_OLT, true);
  case Intrinsic::le_float_fast: return compare(P::FCMP_OLE, true);
  case Intrinsic::abs_float: return exact(b_.CreateUnaryIntrinsic(I::fabs, x));
  case Intrinsic::copysign_float: return exact(b_.CreateBinaryIntrinsic(I::copysign, x, y));
  case Intrinsic::min_float: return same(minimum(x, y, false));
  case Intrinsic::max_float: return same(minimum(x, y, true));
  case Intrinsic::sqrt_llvm: return exact(b_.CreateUnaryIntrinsic(I::sqrt, x));
  case Intrinsic::sqrt_llvm_fast: return same(relax(b_.CreateUnaryIntrinsic(I::sqrt, x), true));
  case Intrinsic::floor_llvm: return exact(b_.CreateUnaryIntrinsic(I::floor, x));
  case Intrinsic::ceil_llvm: return exact(b_.CreateUnaryIntrinsic(I::ceil, x));
  case Intrinsic::trunc_llvm: return exact(b_.CreateUnaryIntrinsic(I::trunc, x));
  case Intrinsic::rint_llvm: return exact(b_.CreateUnaryIntrinsic(I::rint, x));
  default: break;
  }
  return {};
}

} // namespace kiln
