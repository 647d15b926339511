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

/// Calls a built-in function of OpenCL on floats of 32 or 64 bits. `parameters`: "d" for a value of the float
/// type, "i" for an i32.
Value *call_builtin(llvm::IRBuilder<> &ir, llvm::StringRef name, llvm::StringRef parameters,
                    llvm::ArrayRef<Value *> values) {
  llvm::Type *type = values[0]->getType();
  llvm::SmallVector<llvm::Type *, 2> types;
  std::string mangled = fmt::format("_Z{}{}", name.size(), name.str());
  for (auto [letter, value] : llvm::zip(parameters, values)) {
    types.push_back(value->getType());
    mangled += letter == 'i' ? 'i' : type->isDoubleTy() ? 'd' : 'f';
  }
  llvm::Module &module = *ir.GetInsertBlock()->getModule();
  auto callee = module.getOrInsertFunction(mangled, llvm::FunctionType::get(type, types, false));
  auto *function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->addFnAttr(llvm::Attribute::WillReturn);
  auto *call = ir.CreateCall(function, values);
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  return call;
}

/// Calls such a function also on smaller floats, which are computed as floats of 32 bits.
Value *call_builtin_widened(llvm::IRBuilder<> &ir, llvm::StringRef name, llvm::StringRef parameters,
                            llvm::ArrayRef<Value *> values) {
  llvm::Type *type = values[0]->getType();
  if (type->isFloatTy() || type->isDoubleTy()) return call_builtin(ir, name, parameters, values);
  llvm::SmallVector<Value *, 2> wide;
  for (Value *value : values)
    wide.push_back(value->getType() == type ? ir.CreateFPExt(value, ir.getFloatTy()) : value);
  return ir.CreateFPTrunc(call_builtin(ir, name, parameters, wide), type);
}

/// Functions that OpenCL has under the same name.
constexpr std::pair<llvm::Intrinsic::ID, const char *> mathematics[] = {
    {llvm::Intrinsic::sin, "sin"},     {llvm::Intrinsic::cos, "cos"},   {llvm::Intrinsic::tan, "tan"},
    {llvm::Intrinsic::asin, "asin"},   {llvm::Intrinsic::acos, "acos"}, {llvm::Intrinsic::atan, "atan"},
    {llvm::Intrinsic::atan2, "atan2"}, {llvm::Intrinsic::sinh, "sinh"}, {llvm::Intrinsic::cosh, "cosh"},
    {llvm::Intrinsic::tanh, "tanh"},   {llvm::Intrinsic::exp, "exp"},   {llvm::Intrinsic::exp2, "exp2"},
    {llvm::Intrinsic::exp10, "exp10"}, {llvm::Intrinsic::log, "log"},   {llvm::Intrinsic::log2, "log2"},
    {llvm::Intrinsic::log10, "log10"}, {llvm::Intrinsic::pow, "pow"}};

/// Replacement for an instruction; null: the back-end handles it.
Value *replacement(llvm::IRBuilder<> &ir, llvm::Instruction &instruction) {
  if (instruction.getOpcode() == llvm::Instruction::FRem)
    return call_builtin_widened(ir, "fmod", "dd", {instruction.getOperand(0), instruction.getOperand(1)});
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call) return nullptr;
  switch (call->getIntrinsicID()) {
  case llvm::Intrinsic::minimum: return smaller_or_larger(ir, *call, true);
  case llvm::Intrinsic::maximum: return smaller_or_larger(ir, *call, false);
  case llvm::Intrinsic::ldexp:
    return call_builtin_widened(ir, "ldexp", "di", {call->getArgOperand(0), call->getArgOperand(1)});
  case llvm::Intrinsic::powi:
    return call_builtin_widened(ir, "pown", "di", {call->getArgOperand(0), call->getArgOperand(1)});
  default: break;
  }
  for (const auto &[id, name] : mathematics)
    if (id == call->getIntrinsicID()) {
      llvm::SmallVector<Value *, 2> values(call->args());
      return call_builtin_widened(ir, name, llvm::StringRef("dd", values.size()), values);
    }
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

Result<void> lower_intrinsics(llvm::Module &module) {
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
      Value *other = replacement(ir, instruction);
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
