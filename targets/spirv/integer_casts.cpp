// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "integer_stages.h"

#include <llvm/IR/InstIterator.h>

#include <fmt/format.h>

namespace kiln::spirv {
namespace {

/// Joins the elements of a vector to one integer, the first in the lowest bits.
llvm::Value *join(llvm::IRBuilder<> &builder, llvm::Value *value, llvm::Type *type) {
  const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  if (!vector) return value;
  const unsigned width = vector->getScalarSizeInBits();
  llvm::Value *whole = nullptr;
  for (unsigned i = 0; i < vector->getNumElements(); i++) {
    llvm::Value *element =
        builder.CreateBitCast(builder.CreateExtractElement(value, i), builder.getIntNTy(width));
    llvm::Value *bits = builder.CreateZExt(element, type);
    if (i > 0) bits = builder.CreateShl(bits, i * width);
    whole = whole ? builder.CreateOr(whole, bits) : bits;
  }
  return whole;
}

/// Makes a vector of an integer's bits; the inverse of join.
llvm::Value *cut(llvm::IRBuilder<> &builder, llvm::Value *value, llvm::Type *type) {
  const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!vector) return value;
  const unsigned width = vector->getScalarSizeInBits();
  llvm::Value *whole = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < vector->getNumElements(); i++) {
    llvm::Value *bits = i > 0 ? builder.CreateLShr(value, i * width) : value;
    llvm::Value *element = builder.CreateTrunc(bits, builder.getIntNTy(width));
    whole = builder.CreateInsertElement(whole, builder.CreateBitCast(element, vector->getElementType()), i);
  }
  return whole;
}

void replace(llvm::Instruction &old, llvm::Value *value) {
  old.replaceAllUsesWith(value);
  old.eraseFromParent();
}

Result<void> lower_bitcast(llvm::BitCastInst &cast) {
  llvm::Type *from = cast.getSrcTy(), *to = cast.getDestTy();
  if (!is_other(from) && !is_other(to) && !is_boolean_vector(from) && !is_boolean_vector(to)) return {};
  const uint64_t width = from->getPrimitiveSizeInBits().getFixedValue();
  auto is_rewritable = [](const llvm::Type *type) { return type->isIntegerTy() || type->isVectorTy(); };
  if (width > max_width || !is_rewritable(from) || !is_rewritable(to))
    return unsupported(cast, fmt::format("a bitcast of {} bits", width));
  llvm::IRBuilder<> builder(&cast);
  llvm::Value *bits = join(builder, cast.getOperand(0), builder.getIntNTy(unsigned(width)));
  replace(cast, cut(builder, bits, to));
  return {};
}

/// Converts through an integer as large as the pointer.
void lower_pointer_cast(llvm::CastInst &cast) {
  const llvm::DataLayout &layout = cast.getModule()->getDataLayout();
  llvm::IRBuilder<> builder(&cast);
  llvm::Value *value = cast.getOperand(0);
  if (auto *from = llvm::dyn_cast<llvm::PtrToIntInst>(&cast); from && is_other(cast.getType())) {
    // An instruction even for constants: the folder would join it and the truncation to the old expression.
    llvm::Value *address =
        builder.Insert(new llvm::PtrToIntInst(value, layout.getIntPtrType(value->getType())));
    replace(cast, builder.CreateZExtOrTrunc(address, cast.getType()));
  } else if (llvm::isa<llvm::IntToPtrInst>(cast) && is_other(value->getType())) {
    llvm::Value *address = builder.CreateZExtOrTrunc(value, layout.getIntPtrType(cast.getType()));
    replace(cast, builder.CreateIntToPtr(address, cast.getType()));
  }
}

/// Switches over the number of the equal case instead of the value.
void lower_switch(llvm::SwitchInst &instruction) {
  llvm::IRBuilder<> builder(&instruction);
  llvm::Value *value = instruction.getCondition();
  if (value->getType()->getIntegerBitWidth() <= 64) return;
  llvm::Value *number = builder.getInt32(instruction.getNumCases());
  for (auto &entry : instruction.cases()) {
    llvm::ConstantInt *own = builder.getInt32(entry.getCaseIndex());
    number = builder.CreateSelect(builder.CreateICmpEQ(value, entry.getCaseValue()), own, number);
    entry.setValue(own);
  }
  instruction.setCondition(number);
}

} // namespace

Result<void> lower_casts(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (auto *bits = llvm::dyn_cast<llvm::BitCastInst>(&instruction))
      KILN_CHECK(lower_bitcast(*bits));
    else if (llvm::isa<llvm::PtrToIntInst, llvm::IntToPtrInst>(instruction))
      lower_pointer_cast(llvm::cast<llvm::CastInst>(instruction));
    else if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction))
      lower_switch(*choice);
  return {};
}

} // namespace kiln::spirv
