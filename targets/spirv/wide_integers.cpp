// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits integers of 128 bits into two of 64. New instructions have no flags.
#include "integer_stages.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/IntegerDivision.h>

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace kiln::spirv {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Replaces divisions and remainders by loops over bits.
void expand_divisions(llvm::Function &function) {
  std::vector<llvm::BinaryOperator *> divisions;
  for (Instruction &instruction : llvm::instructions(function))
    if (auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
        operation && operation->isIntDivRem() && is_wide(operation->getType()))
      divisions.push_back(operation);
  for (llvm::BinaryOperator *division : divisions)
    if (division->getOpcode() == Instruction::UDiv || division->getOpcode() == Instruction::SDiv)
      llvm::expandDivision(division);
    else
      llvm::expandRemainder(division);
}

class WideIntegers {
public:
  explicit WideIntegers(llvm::Function &function) : function_(function) {}

  Result<void> run() {
    for (llvm::BasicBlock *block : llvm::ReversePostOrderTraversal<llvm::Function *>(&function_))
      for (Instruction &instruction : llvm::make_early_inc_range(*block))
        if (is_affected(instruction)) KILN_CHECK(split(instruction));
    for (llvm::PHINode *phi : phis_) {
      const Halves halves = values_[phi];
      for (unsigned i = 0; i < phi->getNumIncomingValues(); i++) {
        const Halves incoming = halves_of(phi->getIncomingValue(i));
        if (!incoming.low) return unsupported(*phi, "an incoming value without a rewrite");
        llvm::cast<llvm::PHINode>(halves.low)->addIncoming(incoming.low, phi->getIncomingBlock(i));
        llvm::cast<llvm::PHINode>(halves.high)->addIncoming(incoming.high, phi->getIncomingBlock(i));
      }
    }
    for (Instruction *instruction : old_) instruction->dropAllReferences();
    for (Instruction *instruction : old_) instruction->eraseFromParent();
    return {};
  }

private:
  static bool is_affected(const Instruction &instruction) {
    return is_wide(instruction.getType()) || llvm::any_of(instruction.operands(), [](const Value *operand) {
             return is_wide(operand->getType());
           });
  }

  /// Halves of a value. Undefined constants become 0, so that all uses agree.
  /// No low half: the value has no rewrite.
  Halves halves_of(Value *value) const {
    llvm::Type *half = llvm::Type::getInt64Ty(value->getContext());
    if (const auto *integer = llvm::dyn_cast<llvm::ConstantInt>(value))
      return {llvm::ConstantInt::get(half, integer->getValue().trunc(64)),
              llvm::ConstantInt::get(half, integer->getValue().extractBits(64, 64))};
    if (llvm::isa<llvm::UndefValue>(value))
      return {llvm::Constant::getNullValue(half), llvm::Constant::getNullValue(half)};
    return values_.lookup(value);
  }

  Result<void> split(Instruction &old) {
    for (Value *operand : old.operands())
      if (is_wide(operand->getType()) && !llvm::isa<llvm::PHINode>(old) && !halves_of(operand).low)
        return unsupported(old, "an operand without a rewrite");
    llvm::IRBuilder<> builder(&old);
    if (is_wide(old.getType())) {
      const Halves halves = new_halves(builder, old);
      if (!halves.low) return unsupported(old, "an operation of 128 bits without a rewrite");
      if (llvm::isa<Instruction>(halves.low) && !halves.low->hasName()) halves.low->setName(old.getName());
      values_[&old] = halves;
    } else {
      Value *value = new_value(builder, old);
      if (!value) return unsupported(old, "an operation of 128 bits without a rewrite");
      if (llvm::isa<Instruction>(value) && !value->hasName()) value->takeName(&old);
      old.replaceAllUsesWith(value);
    }
    old_.push_back(&old);
    return {};
  }

  /// Replacement of an instruction that makes an i128. No low half: no rewrite.
  Halves new_halves(llvm::IRBuilder<> &builder, Instruction &old) {
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&old)) {
      phis_.push_back(phi);
      llvm::PHINode *low = builder.CreatePHI(builder.getInt64Ty(), phi->getNumIncomingValues());
      return {low, builder.CreatePHI(builder.getInt64Ty(), phi->getNumIncomingValues())};
    }
    if (auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&old)) return binary(builder, *operation);
    if (llvm::isa<llvm::SelectInst>(old))
      return select(builder, old.getOperand(0), halves_of(old.getOperand(1)), halves_of(old.getOperand(2)));
    if (llvm::isa<llvm::FreezeInst>(old)) {
      const Halves x = halves_of(old.getOperand(0));
      return {builder.CreateFreeze(x.low), builder.CreateFreeze(x.high)};
    }
    if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&old)) {
      if (call->arg_size() == 0 || !is_wide(call->getArgOperand(0)->getType())) return {};
      return count_or_reverse(builder, call->getIntrinsicID(), halves_of(call->getArgOperand(0)));
    }
    switch (old.getOpcode()) {
    case Instruction::ZExt:
      return {builder.CreateZExt(old.getOperand(0), builder.getInt64Ty()), builder.getInt64(0)};
    case Instruction::SExt: {
      Value *low = builder.CreateSExt(old.getOperand(0), builder.getInt64Ty());
      return {low, builder.CreateAShr(low, 63)};
    }
    case Instruction::FPToUI: return from_float(builder, false, old.getOperand(0));
    case Instruction::FPToSI: return from_float(builder, true, old.getOperand(0));
    default: return {};
    }
  }

  Halves binary(llvm::IRBuilder<> &builder, llvm::BinaryOperator &old) const {
    const Halves x = halves_of(old.getOperand(0)), y = halves_of(old.getOperand(1));
    const auto opcode = old.getOpcode();
    switch (opcode) {
    case Instruction::Add: return add(builder, x, y);
    case Instruction::Sub: return subtract(builder, x, y);
    case Instruction::Mul: return multiply(builder, x, y);
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
      return {builder.CreateBinOp(opcode, x.low, y.low), builder.CreateBinOp(opcode, x.high, y.high)};
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr: return shift(builder, opcode, x, y.low);
    default: return {};
    }
  }

  /// Replacement of an instruction that only reads i128. Null: no rewrite.
  Value *new_value(llvm::IRBuilder<> &builder, Instruction &old) const {
    if (auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(&old))
      return compare(builder, comparison->getPredicate(), halves_of(old.getOperand(0)),
                     halves_of(old.getOperand(1)));
    switch (old.getOpcode()) {
    case Instruction::Trunc: return builder.CreateTrunc(halves_of(old.getOperand(0)).low, old.getType());
    case Instruction::UIToFP: return to_float(builder, false, halves_of(old.getOperand(0)), old.getType());
    case Instruction::SIToFP: return to_float(builder, true, halves_of(old.getOperand(0)), old.getType());
    default: return nullptr;
    }
  }

  llvm::Function &function_;
  llvm::DenseMap<Value *, Halves> values_; ///< never iterated
  std::vector<llvm::PHINode *> phis_;
  std::vector<Instruction *> old_;
};

} // namespace

Result<void> split_wide(llvm::Function &function) {
  expand_divisions(function);
  return WideIntegers(function).run();
}

} // namespace kiln::spirv
