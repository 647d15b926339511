// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers operations with the flag afn (@fastmath, --fastmath) for which LLVM 22.1.8 chooses no approximation.
// x / sqrt(y) becomes x times PTX's reciprocal square root. f64 division and square root become
// approximations refined to nearly full precision. LLVM itself chooses div.approx.f32 and sqrt.approx.f32.
#include "passes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/PatternMatch.h>

namespace kiln::ptx {
namespace {

using namespace llvm::PatternMatch;
using llvm::Value;

class FastOperations {
public:
  explicit FastOperations(llvm::Function &function)
      : function_(function),
        flush_(
            function.getFnAttribute("denormal-fp-math-f32").getValueAsString().starts_with("preserve-sign")) {
  }

  void run() {
    std::vector<llvm::Instruction *> candidates;
    for (llvm::Instruction &instruction : llvm::instructions(function_))
      if (llvm::isa<llvm::FPMathOperator>(instruction) && instruction.hasApproxFunc())
        candidates.push_back(&instruction);
    // Replace quotients first: 1/sqrt(x) becomes one instruction only while its sqrt is still there.
    for (llvm::Instruction *&instruction : candidates)
      if (instruction->getOpcode() == llvm::Instruction::FDiv && replace(instruction, division(*instruction)))
        instruction = nullptr;
    for (llvm::Instruction *instruction : candidates)
      if (instruction && is_square_root(*instruction)) replace(instruction, square_root(*instruction));
  }

private:
  static bool is_square_root(const llvm::Instruction &instruction) {
    auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    return call && call->getIntrinsicID() == llvm::Intrinsic::sqrt;
  }
  static bool replace(llvm::Instruction *instruction, Value *by) {
    if (!by) return false;
    by->takeName(instruction);
    instruction->replaceAllUsesWith(by);
    instruction->eraseFromParent();
    return true;
  }
  Value *intrinsic(llvm::IRBuilder<> &ir, llvm::Intrinsic::ID id, llvm::ArrayRef<Value *> arguments) const {
    llvm::Function *callee = llvm::Intrinsic::getOrInsertDeclaration(function_.getParent(), id);
    return ir.CreateCall(callee, arguments);
  }

  Value *division(llvm::Instruction &instruction) const {
    llvm::IRBuilder<> ir(&instruction);
    ir.setFastMathFlags(instruction.getFastMathFlags());
    llvm::Type *type = instruction.getType();
    Value *numerator = instruction.getOperand(0), *denominator = instruction.getOperand(1);
    auto *root = llvm::dyn_cast<llvm::Instruction>(denominator);
    const bool of_root = root && root->hasOneUse() && is_square_root(*root) && root->hasApproxFunc();
    if (!type->isFloatTy() && !type->isDoubleTy()) return nullptr;
    if (of_root) {
      Value *reciprocal = intrinsic(ir,
                                    type->isDoubleTy() ? llvm::Intrinsic::nvvm_rsqrt_approx_d
                                    : flush_           ? llvm::Intrinsic::nvvm_rsqrt_approx_ftz_f
                                                       : llvm::Intrinsic::nvvm_rsqrt_approx_f,
                                    {root->getOperand(0)});
      return match(numerator, m_FPOne()) ? reciprocal : ir.CreateFMul(numerator, reciprocal);
    }
    if (!type->isDoubleTy()) return nullptr;
    Value *reciprocal = refined_reciprocal(ir, denominator);
    if (match(numerator, m_FPOne())) return reciprocal;
    Value *quotient = ir.CreateFMul(numerator, reciprocal);
    Value *rest = fma(ir, ir.CreateFNeg(denominator), quotient, numerator);
    return fma(ir, rest, reciprocal, quotient);
  }

  static Value *fma(llvm::IRBuilder<> &ir, Value *a, Value *b, Value *c) {
    return ir.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, b, c});
  }
  /// Emits the reciprocal of x. rcp.approx gives 20 correct bits; each Newton step doubles them.
  Value *refined_reciprocal(llvm::IRBuilder<> &ir, Value *x) const {
    Value *minus_x = ir.CreateFNeg(x), *one = llvm::ConstantFP::get(x->getType(), 1.0);
    Value *y = intrinsic(ir, llvm::Intrinsic::nvvm_rcp_approx_ftz_d, {x});
    for (int step = 0; step < 2; ++step) y = fma(ir, y, fma(ir, minus_x, y, one), y);
    return y;
  }

  /// Emits the square root: x * rsqrt(x) and one Newton step. x = 0 needs a select, since 0 times infinity is
  /// NaN.
  Value *square_root(llvm::Instruction &instruction) const {
    llvm::Type *type = instruction.getType();
    if (!type->isDoubleTy() || instruction.use_empty()) return nullptr;
    llvm::IRBuilder<> ir(&instruction);
    ir.setFastMathFlags(instruction.getFastMathFlags());
    Value *x = instruction.getOperand(0), *half = llvm::ConstantFP::get(type, 0.5);
    Value *reciprocal = intrinsic(ir, llvm::Intrinsic::nvvm_rsqrt_approx_d, {x});
    Value *root = ir.CreateFMul(x, reciprocal);
    Value *rest = fma(ir, ir.CreateFNeg(root), root, x);
    root = fma(ir, rest, ir.CreateFMul(half, reciprocal), root);
    return ir.CreateSelect(ir.CreateFCmpOEQ(x, llvm::ConstantFP::get(type, 0.0)), x, root);
  }

  llvm::Function &function_;
  bool flush_;
};

} // namespace

void lower_fast_operations(const CompilerConfig &, llvm::Module &module) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) FastOperations(function).run();
}

} // namespace kiln::ptx
