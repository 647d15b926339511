// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants with other integers: constant expressions in instructions, and variables with initial values.
#include "integer_stages.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

#include <map>
#include <utility>
#include <vector>

namespace kiln::spirv {
namespace {

/// Returns true if a constant must become instructions: an expression with other integers is in it.
bool has_other_expression(const llvm::Value *value) {
  const auto *constant = llvm::dyn_cast<llvm::Constant>(value);
  if (!constant || llvm::isa<llvm::GlobalValue>(constant)) return false;
  if (llvm::isa<llvm::ConstantExpr>(constant)) {
    if (has_other(constant->getType())) return true;
    if (const auto *address = llvm::dyn_cast<llvm::GEPOperator>(constant);
        address && has_other_in_memory(address->getSourceElementType()))
      return true;
    for (const llvm::Value *operand : constant->operands())
      if (has_other(operand->getType())) return true;
  }
  return llvm::any_of(constant->operands(),
                      [](const llvm::Value *operand) { return has_other_expression(operand); });
}

/// Makes instructions before `at` that compute the constant.
llvm::Value *expand(llvm::Constant *constant, llvm::Instruction *at) {
  if (!has_other_expression(constant)) return constant;
  if (auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(constant)) {
    llvm::Instruction *instruction = expression->getAsInstruction();
    for (llvm::Use &use : instruction->operands()) use = expand(llvm::cast<llvm::Constant>(use.get()), at);
    instruction->insertBefore(at->getIterator());
    instruction->setDebugLoc(at->getDebugLoc());
    return instruction;
  }
  llvm::IRBuilder<> builder(at);
  llvm::Value *whole = llvm::PoisonValue::get(constant->getType());
  for (unsigned i = 0; i < constant->getNumOperands(); i++) {
    llvm::Value *part = expand(llvm::cast<llvm::Constant>(constant->getOperand(i)), at);
    whole = constant->getType()->isVectorTy() ? builder.CreateInsertElement(whole, part, i)
                                              : builder.CreateInsertValue(whole, part, {i});
  }
  return whole;
}

/// Bytes of a variable's initial value. Addresses, which the linker computes, are apart.
class InitialBytes {
public:
  InitialBytes(const llvm::DataLayout &layout, uint64_t size) : layout_(layout), bytes_(size) {}

  void write(llvm::Constant *constant, uint64_t at) {
    llvm::Type *type = constant->getType();
    if (llvm::isa<llvm::UndefValue>(constant) || constant->isNullValue()) return;
    if (const auto *integer = llvm::dyn_cast<llvm::ConstantInt>(constant); integer && type->isIntegerTy())
      write_bits(integer->getValue(), at);
    else if (const auto *number = llvm::dyn_cast<llvm::ConstantFP>(constant);
             number && type->isFloatingPointTy())
      write_bits(number->getValueAPF().bitcastToAPInt(), at);
    else if (type->isAggregateType())
      for (unsigned i = 0; llvm::Constant *part = constant->getAggregateElement(i); i++)
        write(part, at + part_offset(type, i));
    else if (is_boolean_vector(type))
      write_booleans(*constant, at);
    else if (const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
      for (unsigned i = 0; i < vector->getNumElements(); i++)
        write(constant->getAggregateElement(i), at + i * layout_.getTypeStoreSize(vector->getElementType()));
    else
      addresses_.emplace_back(at, constant);
  }

  /// Makes the initial value, of `type` if there are no addresses.
  llvm::Constant *value(llvm::Type *type) const {
    if (addresses_.empty()) return elements(*llvm::cast<llvm::ArrayType>(type), 0);
    // Addresses are at their natural places, so that padding is explicit and the struct adds none.
    std::vector<llvm::Constant *> fields;
    uint64_t at = 0;
    auto fill_to = [&](uint64_t end) {
      llvm::Type *byte = llvm::Type::getInt8Ty(type->getContext());
      if (end > at) fields.push_back(elements(*llvm::ArrayType::get(byte, end - at), at));
    };
    for (const auto &[offset, address] : addresses_) {
      fill_to(offset);
      fields.push_back(address);
      at = offset + layout_.getTypeStoreSize(address->getType());
    }
    fill_to(bytes_.size());
    llvm::Constant *whole = llvm::ConstantStruct::getAnon(fields);
    if (layout_.getTypeAllocSize(whole->getType()) == bytes_.size()) return whole;
    return llvm::ConstantStruct::getAnon(fields, true);
  }

private:
  uint64_t part_offset(llvm::Type *type, unsigned index) const {
    if (auto *structure = llvm::dyn_cast<llvm::StructType>(type))
      return layout_.getStructLayout(structure)->getElementOffset(index);
    return index * layout_.getTypeAllocSize(type->getArrayElementType());
  }

  void write_bits(const llvm::APInt &bits, uint64_t at) {
    for (unsigned i = 0; i * 8 < bits.getBitWidth(); i++)
      bytes_[at + i] = uint8_t(bits.extractBitsAsZExtValue(std::min(8u, bits.getBitWidth() - i * 8), i * 8));
  }

  void write_booleans(const llvm::Constant &constant, uint64_t at) {
    const unsigned count = llvm::cast<llvm::FixedVectorType>(constant.getType())->getNumElements();
    for (unsigned i = 0; i < count; i++)
      if (constant.getAggregateElement(i)->isOneValue()) bytes_[at + i / 8] |= uint8_t(1 << i % 8);
  }

  llvm::Constant *elements(llvm::ArrayType &type, uint64_t at) const {
    const uint64_t element_bytes = layout_.getTypeStoreSize(type.getElementType());
    std::vector<llvm::Constant *> values;
    for (uint64_t i = 0; i < type.getNumElements(); i++) {
      uint64_t value = 0;
      for (uint64_t byte = 0; byte < element_bytes; byte++)
        value |= uint64_t(bytes_[at + i * element_bytes + byte]) << 8 * byte;
      values.push_back(llvm::ConstantInt::get(type.getElementType(), value));
    }
    return llvm::ConstantArray::get(&type, values);
  }

  const llvm::DataLayout &layout_;
  std::vector<uint8_t> bytes_;
  std::vector<std::pair<uint64_t, llvm::Constant *>> addresses_; ///< in order of their offsets
};

void rewrite(llvm::GlobalVariable &variable) {
  llvm::Module &module = *variable.getParent();
  const llvm::DataLayout &layout = module.getDataLayout();
  llvm::Type *type = storage_type(layout, variable.getValueType());
  llvm::Constant *initial = nullptr;
  if (variable.hasInitializer()) {
    llvm::Constant *old = variable.getInitializer();
    if (llvm::isa<llvm::PoisonValue>(old))
      initial = llvm::PoisonValue::get(type);
    else if (llvm::isa<llvm::UndefValue>(old)) // shared memory stays without a value
      initial = llvm::UndefValue::get(type);
    else {
      InitialBytes bytes(layout, layout.getTypeAllocSize(variable.getValueType()));
      bytes.write(old, 0);
      initial = bytes.value(type);
      type = initial->getType();
    }
  }
  auto *legal = new llvm::GlobalVariable(module, type, variable.isConstant(), variable.getLinkage(), initial,
                                         "", &variable, variable.getThreadLocalMode(),
                                         variable.getAddressSpace(), variable.isExternallyInitialized());
  legal->copyAttributesFrom(&variable);
  legal->copyMetadata(&variable, 0);
  legal->setComdat(variable.getComdat());
  legal->setAlignment(layout.getValueOrABITypeAlignment(variable.getAlign(), variable.getValueType()));
  legal->takeName(&variable);
  variable.replaceAllUsesWith(legal);
  variable.eraseFromParent();
}

} // namespace

void expand_constants(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
    std::map<llvm::BasicBlock *, llvm::Value *> incoming; // a block that comes twice needs one value
    for (llvm::Use &use : instruction.operands()) {
      if (!has_other_expression(use.get())) continue;
      auto *constant = llvm::cast<llvm::Constant>(use.get());
      if (!phi) {
        use = expand(constant, &instruction);
        continue;
      }
      llvm::BasicBlock *block = phi->getIncomingBlock(use);
      llvm::Value *&value = incoming[block];
      if (!value) value = expand(constant, block->getTerminator());
      use = value;
    }
  }
}

llvm::Type *storage_type(const llvm::DataLayout &layout, llvm::Type *type) {
  const uint64_t size = layout.getTypeAllocSize(type);
  uint64_t element = std::min<uint64_t>(8, layout.getABITypeAlign(type).value());
  while (size % element != 0) element /= 2;
  return llvm::ArrayType::get(llvm::Type::getIntNTy(type->getContext(), unsigned(element * 8)),
                              size / element);
}

Result<void> rewrite_variables(llvm::Module &module) {
  for (llvm::GlobalVariable &variable : llvm::make_early_inc_range(module.globals())) {
    if (!has_other_in_memory(variable.getValueType())) continue;
    if (variable.hasInitializer() && has_other_expression(variable.getInitializer()))
      return unsupported(variable, "an address as an integer is in its initial value");
    rewrite(variable);
  }
  return {};
}

} // namespace kiln::spirv
