// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits integer intrinsics, and conversions between primitive types.
#include "emitter.h"
#include "wide_conversions.h"

namespace kiln {

llvm::Value *Emitter::shift(Intrinsic id, llvm::Value *x, llvm::Value *count) {
  unsigned width = x->getType()->getIntegerBitWidth(), count_width = count->getType()->getIntegerBitWidth();
  auto apply = [&](llvm::Value *by) {
    return id == Intrinsic::shl_int    ? b_.CreateShl(x, by)
           : id == Intrinsic::lshr_int ? b_.CreateLShr(x, by)
                                       : b_.CreateAShr(x, by);
  };
  bool arithmetic = id == Intrinsic::ashr_int;
  if (auto *known = llvm::dyn_cast<llvm::ConstantInt>(count)) {
    uint64_t by = known->getValue().getLimitedValue(width);
    if (by < width) return apply(llvm::ConstantInt::get(x->getType(), by));
    return arithmetic ? apply(llvm::ConstantInt::get(x->getType(), width - 1))
                      : llvm::Constant::getNullValue(x->getType());
  }
  llvm::Value *by = b_.CreateZExtOrTrunc(count, x->getType());
  if (count_width < 32 && (uint64_t(1) << count_width) <= width) return apply(by); // every count is in range
  llvm::Value *in_range = b_.CreateICmpULT(count, llvm::ConstantInt::get(count->getType(), width));
  if (arithmetic)
    return apply(b_.CreateSelect(in_range, by, llvm::ConstantInt::get(x->getType(), width - 1)));
  return b_.CreateSelect(in_range, apply(by), llvm::Constant::getNullValue(x->getType()));
}

std::optional<EmittedValue> Emitter::integer_intrinsic(IntrinsicCall &call) {
  if (call.id < Intrinsic::neg_int || call.id > Intrinsic::mulhi_u) return {};
  for (EmittedValue arg : call.args)
    if (!arg.is(Kind::Scalar)) return bad(call, "expected primitive values");
  bool is_shift =
      call.id == Intrinsic::shl_int || call.id == Intrinsic::lshr_int || call.id == Intrinsic::ashr_int;
  if (call.args.size() == 2 && !is_shift && call.args[0].shape->leaves != call.args[1].shape->leaves)
    return bad(call, "expected two values of one type");
  llvm::Value *x = as_integer(call.args[0].scalar());
  llvm::Value *y = call.args.size() > 1 ? as_integer(call.args[1].scalar()) : nullptr;
  bool compares = call.id >= Intrinsic::eq_int && call.id <= Intrinsic::ule_int;
  if (!compares && (!x->getType()->isIntegerTy() || (y && !y->getType()->isIntegerTy())))
    return bad(call, "expected integers");

  namespace I = llvm::Intrinsic;
  // Converts the result to the operand's type if that is no integer type.
  auto same = [&](llvm::Value *v) {
    return one(call.args[0].type(), b_.CreateBitCast(v, call.args[0].scalar()->getType()));
  };
  auto with_overflow = [&](I::ID id) -> EmittedValue {
    llvm::Value *both = b_.CreateBinaryIntrinsic(id, x, y);
    TypeRef pair = types_.tuple({call.args[0].type(), types_.builtins().Bool});
    return make(shapes_.get(pair), {b_.CreateExtractValue(both, 0), b_.CreateExtractValue(both, 1)});
  };
  unsigned width = compares && x->getType()->isPointerTy() ? 64 : x->getType()->getIntegerBitWidth();
  switch (call.id) {
  case Intrinsic::neg_int: return same(b_.CreateNeg(x));
  case Intrinsic::add_int: return same(b_.CreateAdd(x, y));
  case Intrinsic::sub_int: return same(b_.CreateSub(x, y));
  case Intrinsic::mul_int: return same(b_.CreateMul(x, y));
  case Intrinsic::add_nsw: return same(b_.CreateAdd(x, y, "", false, true));
  case Intrinsic::add_nuw: return same(b_.CreateAdd(x, y, "", true, false));
  case Intrinsic::add_nuw_nsw: return same(b_.CreateAdd(x, y, "", true, true));
  case Intrinsic::sub_nsw: return same(b_.CreateSub(x, y, "", false, true));
  case Intrinsic::sub_nuw: return same(b_.CreateSub(x, y, "", true, false));
  case Intrinsic::sub_nuw_nsw: return same(b_.CreateSub(x, y, "", true, true));
  case Intrinsic::mul_nsw: return same(b_.CreateMul(x, y, "", false, true));
  case Intrinsic::mul_nuw: return same(b_.CreateMul(x, y, "", true, false));
  case Intrinsic::mul_nuw_nsw: return same(b_.CreateMul(x, y, "", true, true));
  case Intrinsic::sdiv_int: return same(b_.CreateSDiv(x, y));
  case Intrinsic::udiv_int: return same(b_.CreateUDiv(x, y));
  case Intrinsic::srem_int: return same(b_.CreateSRem(x, y));
  case Intrinsic::urem_int: return same(b_.CreateURem(x, y));
  case Intrinsic::and_int: return same(b_.CreateAnd(x, y));
  case Intrinsic::or_int: return same(b_.CreateOr(x, y));
  case Intrinsic::xor_int: return same(b_.CreateXor(x, y));
  case Intrinsic::not_int: return same(b_.CreateNot(x));
  case Intrinsic::shl_int:
  case Intrinsic::lshr_int:
  case Intrinsic::ashr_int: return same(shift(call.id, x, y));
  case Intrinsic::ctpop_int: return same(b_.CreateUnaryIntrinsic(I::ctpop, x));
  case Intrinsic::ctlz_int: return same(b_.CreateBinaryIntrinsic(I::ctlz, x, b_.getFalse()));
  case Intrinsic::cttz_int: return same(b_.CreateBinaryIntrinsic(I::cttz, x, b_.getFalse()));
  case Intrinsic::bswap_int: return same(width % 16 ? x : b_.CreateUnaryIntrinsic(I::bswap, x));
  case Intrinsic::bitreverse_int: return same(b_.CreateUnaryIntrinsic(I::bitreverse, x));
  case Intrinsic::eq_int: return boolean(b_.CreateICmpEQ(x, y));
  case Intrinsic::ne_int: return boolean(b_.CreateICmpNE(x, y));
  case Intrinsic::slt_int: return boolean(width == 1 ? b_.CreateICmpULT(x, y) : b_.CreateICmpSLT(x, y));
  case Intrinsic::sle_int: return boolean(width == 1 ? b_.CreateICmpULE(x, y) : b_.CreateICmpSLE(x, y));
  case Intrinsic::ult_int: return boolean(b_.CreateICmpULT(x, y));
  case Intrinsic::ule_int: return boolean(b_.CreateICmpULE(x, y));
  case Intrinsic::checked_sadd_int: return with_overflow(I::sadd_with_overflow);
  case Intrinsic::checked_uadd_int: return with_overflow(I::uadd_with_overflow);
  case Intrinsic::checked_ssub_int: return with_overflow(I::ssub_with_overflow);
  case Intrinsic::checked_usub_int: return with_overflow(I::usub_with_overflow);
  case Intrinsic::checked_smul_int: return with_overflow(I::smul_with_overflow);
  case Intrinsic::checked_umul_int: return with_overflow(I::umul_with_overflow);
  case Intrinsic::mulhi_s:
  case Intrinsic::mulhi_u: {
    llvm::Type *wide = b_.getIntNTy(2 * width);
    bool is_signed = call.id == Intrinsic::mulhi_s;
    auto extend = [&](llvm::Value *v) { return is_signed ? b_.CreateSExt(v, wide) : b_.CreateZExt(v, wide); };
    llvm::Value *product = b_.CreateMul(extend(x), extend(y));
    return same(b_.CreateTrunc(b_.CreateLShr(product, width), x->getType()));
  }
  default: break;
  }
  return {};
}

std::optional<EmittedValue> Emitter::conversion_intrinsic(IntrinsicCall &call) {
  bool converts = call.id >= Intrinsic::bitcast && call.id <= Intrinsic::fptrunc;
  if (!converts) return {};
  const Shape *to = shapes_.get(call.result);
  if (!to->leaves.empty() && to->kind == Kind::Opaque)
    if (TypeRef named = known_type(call.frame, call.refs[0])) to = shapes_.get(named);
  EmittedValue from = call.args[1];
  if (to->kind != Kind::Scalar || !from.is(Kind::Scalar))
    return bad(call, "expected a primitive type and a primitive value");
  llvm::Value *x = from.scalar();
  llvm::Type *type = to->leaves[0], *had = x->getType();
  bool from_bool = from.shape->is_bool;
  auto result = [&](llvm::Value *v) { return make(to, v); };
  auto bits = [](const Shape *s) {
    return s->is_bool ? 8u : s->leaves[0]->isPointerTy() ? 64u : s->leaves[0]->getScalarSizeInBits();
  };
  bool ints = type->isIntegerTy() && had->isIntegerTy();
  bool floats = type->isFloatingPointTy() && had->isFloatingPointTy();
  switch (call.id) {
  case Intrinsic::bitcast:
    if (bits(to) != bits(from.shape)) return bad(call, "types of different sizes");
    if (type == had) return result(x);
    if (had->isPointerTy() && type->isPointerTy()) return result(b_.CreateAddrSpaceCast(x, type));
    if (had->isPointerTy()) x = b_.CreatePtrToInt(x, b_.getInt64Ty());
    if (type->isPointerTy()) return result(b_.CreateIntToPtr(as_integer(x), type));
    if (from_bool) x = b_.CreateZExt(x, b_.getInt8Ty());
    if (to->is_bool) return result(b_.CreateTrunc(x, type));
    return result(b_.CreateBitCast(x, type));
  case Intrinsic::trunc_int:
    if (!ints || bits(to) > bits(from.shape)) return bad(call, "expected a narrower integer type");
    return result(b_.CreateZExtOrTrunc(x, type));
  case Intrinsic::sext_int:
  case Intrinsic::zext_int:
    if (!ints || bits(to) < bits(from.shape)) return bad(call, "expected a wider integer type");
    if (call.id == Intrinsic::sext_int && !from_bool) return result(b_.CreateSExt(x, type));
    return result(b_.CreateZExtOrTrunc(x, type));
  case Intrinsic::sitofp:
  case Intrinsic::uitofp:
    if (!had->isIntegerTy() || !type->isFloatingPointTy())
      return bad(call, "expected a float type and an integer");
    if (had->getIntegerBitWidth() > 64)
      return result(wide_to_float(b_, x, type, call.id == Intrinsic::sitofp));
    if (call.id == Intrinsic::sitofp && !from_bool) return result(b_.CreateSIToFP(x, type));
    return result(b_.CreateUIToFP(x, type));
  case Intrinsic::fptosi:
  case Intrinsic::fptoui:
    if (!type->isIntegerTy() || !had->isFloatingPointTy())
      return bad(call, "expected an integer type and a float");
    if (type->getIntegerBitWidth() > 64) return result(float_to_wide(b_, x));
    return result(call.id == Intrinsic::fptosi && !to->is_bool ? b_.CreateFPToSI(x, type)
                                                               : b_.CreateFPToUI(x, type));
  case Intrinsic::fpext:
    if (!floats || bits(to) <= bits(from.shape)) return bad(call, "expected a wider float type");
    return result(b_.CreateFPExt(x, type));
  case Intrinsic::fptrunc:
    if (!floats || bits(to) >= bits(from.shape)) return bad(call, "expected a narrower float type");
    return result(b_.CreateFPTrunc(x, type));
  default: break;
  }
  return {};
}

} // namespace kiln
