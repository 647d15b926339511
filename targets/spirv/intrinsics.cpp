// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces operations for which LLVM 22.1.8's SPIR-V back-end has no code, or code with other results
// (docs/spirv-back-end.md has the IR of each). Vectors become scalars: OpenCL has vectors of 2, 3, 4, 8 and
// 16 elements only.
#include "passes.h"

#include <llvm_support/llvm_support.h>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>

#include <fmt/format.h>

namespace kiln::spirv {
namespace {

using llvm::Value;

/// IEEE 754-2019 minimum and maximum: a NaN wins, and -0 is below +0. The back-end uses fmin and fmax, which
/// prefer numbers and do not order zeros.
Value *smaller_or_larger(llvm::IRBuilder<> &ir, llvm::IntrinsicInst &call, bool smaller) {
  Value *x = call.getArgOperand(0), *y = call.getArgOperand(1);
  llvm::Type *integer = ir.getIntNTy(x->getType()->getScalarSizeInBits());
  Value *is_less = smaller ? ir.CreateFCmpOLT(x, y) : ir.CreateFCmpOGT(x, y);
  Value *chosen = ir.CreateSelect(is_less, x, y);
  // Equal values differ at most in the sign of zero: minimum has any sign, maximum both.
  Value *a = ir.CreateBitCast(x, integer), *b = ir.CreateBitCast(y, integer);
  Value *zero = ir.CreateBitCast(smaller ? ir.CreateOr(a, b) : ir.CreateAnd(a, b), x->getType());
  chosen = ir.CreateSelect(ir.CreateFCmpOEQ(x, y), zero, chosen);
  return ir.CreateSelect(ir.CreateFCmpUNO(x, y), ir.CreateFAdd(x, y), chosen);
}

/// Intrinsics by OpenCL's functions.
constexpr std::pair<llvm::Intrinsic::ID, const char *> mathematics[] = {
    {llvm::Intrinsic::sin, "sin"},     {llvm::Intrinsic::cos, "cos"},   {llvm::Intrinsic::tan, "tan"},
    {llvm::Intrinsic::asin, "asin"},   {llvm::Intrinsic::acos, "acos"}, {llvm::Intrinsic::atan, "atan"},
    {llvm::Intrinsic::atan2, "atan2"}, {llvm::Intrinsic::sinh, "sinh"}, {llvm::Intrinsic::cosh, "cosh"},
    {llvm::Intrinsic::tanh, "tanh"},   {llvm::Intrinsic::exp, "exp"},   {llvm::Intrinsic::exp2, "exp2"},
    {llvm::Intrinsic::exp10, "exp10"}, {llvm::Intrinsic::log, "log"},   {llvm::Intrinsic::log2, "log2"},
    {llvm::Intrinsic::log10, "log10"}, {llvm::Intrinsic::pow, "pow"},   {llvm::Intrinsic::powi, "pown"},
    {llvm::Intrinsic::ldexp, "ldexp"}};

/// Replacement for an instruction; null: the back-end handles it.
Value *replacement(llvm::IRBuilder<> &ir, llvm::Instruction &instruction, Doubles doubles) {
  const auto built_in = [&](const char *name, llvm::ArrayRef<Value *> values) {
    return call_math_function(ir, *find_math_function(name), values,
                              instruction.hasApproxFunc() ? Doubles::No : doubles);
  };
  if (instruction.getOpcode() == llvm::Instruction::FRem)
    return built_in("fmod", {instruction.getOperand(0), instruction.getOperand(1)});
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call) return nullptr;
  switch (call->getIntrinsicID()) {
  case llvm::Intrinsic::minimum: return smaller_or_larger(ir, *call, true);
  case llvm::Intrinsic::maximum: return smaller_or_larger(ir, *call, false);
  default: break;
  }
  for (const auto &[id, name] : mathematics)
    if (id == call->getIntrinsicID()) return built_in(name, llvm::SmallVector<Value *, 2>(call->args()));
  return nullptr;
}

bool has_vectors(const llvm::Function &function) {
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    if (instruction.getType()->isVectorTy()) return true;
    for (const llvm::Use &operand : instruction.operands())
      if (operand->getType()->isVectorTy()) return true;
  }
  return false;
}

bool means_nothing(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call) return false;
  const llvm::Intrinsic::ID id = call->getIntrinsicID();
  return id == llvm::Intrinsic::assume || id == llvm::Intrinsic::experimental_noalias_scope_decl ||
         id == llvm::Intrinsic::donothing || instruction.isLifetimeStartOrEnd();
}

} // namespace

Result<void> lower_intrinsics(Doubles doubles, llvm::Module &module) {
  llvm::ScalarizerPassOptions options;
  options.ScalarizeLoadStore = true;
  run_on_functions(module, llvm::ScalarizerPass(options), has_vectors);
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (means_nothing(instruction)) {
        instruction.eraseFromParent();
        continue;
      }
      llvm::IRBuilder<> ir(&instruction);
      Value *other = replacement(ir, instruction, doubles);
      if (!other) continue;
      other->takeName(&instruction);
      instruction.replaceAllUsesWith(other);
      instruction.eraseFromParent();
    }
  return {};
}

void mask_extended_truncations(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *extended = llvm::dyn_cast<llvm::ZExtInst>(&instruction);
      auto *cut = extended ? llvm::dyn_cast<llvm::TruncInst>(extended->getOperand(0)) : nullptr;
      if (!cut) continue;
      llvm::IRBuilder<> ir(extended);
      const llvm::APInt mask = llvm::APInt::getLowBitsSet(extended->getType()->getIntegerBitWidth(),
                                                          cut->getType()->getIntegerBitWidth());
      Value *same = ir.CreateZExtOrTrunc(cut->getOperand(0), extended->getType());
      extended->replaceAllUsesWith(ir.CreateAnd(same, mask));
      extended->eraseFromParent();
      if (cut->use_empty()) cut->eraseFromParent();
    }
}

} // namespace kiln::spirv
