// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Promotes integers of odd widths to 8, 16, 32, 64 or 128 bits. The upper bits of a promoted value are
// garbage. Operations whose results depend on them get operands with clean bits: zeros or copies of the sign.
// New instructions have no flags, since garbage may violate them.
#include "integer_stages.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>

#include <vector>

namespace kiln::spirv {
namespace {

using llvm::Instruction;

llvm::Type *promoted_type(llvm::Type *type) {
  if (!is_odd(type)) return type;
  return llvm::Type::getIntNTy(type->getContext(), promoted_width(type->getIntegerBitWidth()));
}

class OddIntegers {
public:
  explicit OddIntegers(llvm::Function &function) : function_(function) {}

  Result<void> run() {
    for (llvm::BasicBlock *block : llvm::ReversePostOrderTraversal<llvm::Function *>(&function_))
      for (Instruction &instruction : llvm::make_early_inc_range(*block))
        if (is_affected(instruction)) KILN_CHECK(promote(instruction));
    for (llvm::PHINode *phi : phis_)
      for (unsigned i = 0; i < phi->getNumIncomingValues(); i++)
        if (llvm::Value *value = raw(phi->getIncomingValue(i)))
          llvm::cast<llvm::PHINode>(values_[phi])->addIncoming(value, phi->getIncomingBlock(i));
        else
          return unsupported(*phi, "an incoming value without a rewrite");
    for (Instruction *instruction : old_) instruction->dropAllReferences();
    for (Instruction *instruction : old_) instruction->eraseFromParent();
    return {};
  }

private:
  static bool is_affected(const Instruction &instruction) {
    return is_odd(instruction.getType()) ||
           llvm::any_of(instruction.operands(),
                        [](const llvm::Value *operand) { return is_odd(operand->getType()); });
  }

  /// The promoted value, with garbage in its upper bits. Undefined constants become 0, so that all uses
  /// agree. Null: the value has no rewrite.
  llvm::Value *raw(llvm::Value *value) const {
    if (!is_odd(value->getType())) return value;
    llvm::Type *type = promoted_type(value->getType());
    if (const auto *integer = llvm::dyn_cast<llvm::ConstantInt>(value))
      return llvm::ConstantInt::get(type, integer->getValue().zext(type->getIntegerBitWidth()));
    if (llvm::isa<llvm::UndefValue>(value)) return llvm::Constant::getNullValue(type);
    return values_.lookup(value);
  }

  llvm::Value *zero_extended(llvm::IRBuilder<> &builder, llvm::Value *value) const {
    llvm::Value *bits = raw(value);
    if (!is_odd(value->getType())) return bits;
    const llvm::APInt mask = llvm::APInt::getLowBitsSet(bits->getType()->getIntegerBitWidth(),
                                                        value->getType()->getIntegerBitWidth());
    return builder.CreateAnd(bits, llvm::ConstantInt::get(bits->getType(), mask));
  }

  llvm::Value *sign_extended(llvm::IRBuilder<> &builder, llvm::Value *value) const {
    llvm::Value *bits = raw(value);
    if (!is_odd(value->getType())) return bits;
    const unsigned unused = bits->getType()->getIntegerBitWidth() - value->getType()->getIntegerBitWidth();
    return builder.CreateAShr(builder.CreateShl(bits, unused), unused);
  }

  llvm::Value *extended(llvm::IRBuilder<> &builder, bool is_signed, llvm::Value *value) const {
    return is_signed ? sign_extended(builder, value) : zero_extended(builder, value);
  }

  Result<void> promote(Instruction &old) {
    for (llvm::Value *operand : old.operands())
      if (!llvm::isa<llvm::PHINode>(old) && !raw(operand))
        return unsupported(old, "an operand without a rewrite");
    llvm::IRBuilder<> builder(&old);
    if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(&old)) {
      promote_switch(builder, *choice);
      return {};
    }
    llvm::Value *value = new_value(builder, old);
    if (!value) return unsupported(old, "an operation without a rewrite");
    if (llvm::isa<Instruction>(value) && !value->hasName()) value->takeName(&old);
    if (is_odd(old.getType()))
      values_[&old] = value;
    else
      old.replaceAllUsesWith(value);
    old_.push_back(&old);
    return {};
  }

  /// The value that replaces an instruction. Null: no rewrite.
  llvm::Value *new_value(llvm::IRBuilder<> &builder, Instruction &old) {
    llvm::Type *type = promoted_type(old.getType());
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&old)) {
      phis_.push_back(phi);
      return builder.CreatePHI(type, phi->getNumIncomingValues());
    }
    if (auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&old)) return binary(builder, *operation);
    if (auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(&old)) {
      const bool is_signed = comparison->isSigned();
      return builder.CreateICmp(comparison->getPredicate(), extended(builder, is_signed, old.getOperand(0)),
                                extended(builder, is_signed, old.getOperand(1)));
    }
    if (llvm::isa<llvm::SelectInst>(old))
      return builder.CreateSelect(old.getOperand(0), raw(old.getOperand(1)), raw(old.getOperand(2)));
    if (llvm::isa<llvm::FreezeInst>(old)) return builder.CreateFreeze(raw(old.getOperand(0)));
    if (auto *cast = llvm::dyn_cast<llvm::CastInst>(&old)) return converted(builder, *cast, type);
    return nullptr;
  }

  llvm::Value *binary(llvm::IRBuilder<> &builder, llvm::BinaryOperator &old) const {
    llvm::Value *x = old.getOperand(0), *y = old.getOperand(1);
    const auto opcode = old.getOpcode();
    switch (opcode) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor: return builder.CreateBinOp(opcode, raw(x), raw(y));
    case Instruction::Shl: return builder.CreateShl(raw(x), zero_extended(builder, y));
    case Instruction::AShr: return builder.CreateAShr(sign_extended(builder, x), zero_extended(builder, y));
    case Instruction::LShr:
    case Instruction::UDiv:
    case Instruction::URem:
      return builder.CreateBinOp(opcode, zero_extended(builder, x), zero_extended(builder, y));
    case Instruction::SDiv:
    case Instruction::SRem:
      return builder.CreateBinOp(opcode, sign_extended(builder, x), sign_extended(builder, y));
    default: return nullptr;
    }
  }

  llvm::Value *converted(llvm::IRBuilder<> &builder, llvm::CastInst &old, llvm::Type *type) const {
    llvm::Value *x = old.getOperand(0);
    switch (old.getOpcode()) {
    case Instruction::Trunc: return builder.CreateTrunc(raw(x), type);
    case Instruction::ZExt: return builder.CreateZExt(zero_extended(builder, x), type);
    case Instruction::SExt: return builder.CreateSExt(sign_extended(builder, x), type);
    case Instruction::UIToFP: return builder.CreateUIToFP(zero_extended(builder, x), type);
    case Instruction::SIToFP: return builder.CreateSIToFP(sign_extended(builder, x), type);
    case Instruction::FPToUI: return builder.CreateFPToUI(x, type);
    case Instruction::FPToSI: return builder.CreateFPToSI(x, type);
    case Instruction::PtrToInt: return builder.CreatePtrToInt(x, type); // a folded truncation of an address
    default: return nullptr;
    }
  }

  void promote_switch(llvm::IRBuilder<> &builder, llvm::SwitchInst &choice) const {
    llvm::Value *condition = zero_extended(builder, choice.getCondition());
    for (auto &entry : choice.cases())
      entry.setValue(llvm::cast<llvm::ConstantInt>(raw(entry.getCaseValue())));
    choice.setCondition(condition);
  }

  llvm::Function &function_;
  llvm::DenseMap<llvm::Value *, llvm::Value *> values_; ///< never iterated
  std::vector<llvm::PHINode *> phis_;
  std::vector<Instruction *> old_;
};

} // namespace

Result<void> promote_odd(llvm::Function &function) { return OddIntegers(function).run(); }

} // namespace kiln::spirv
