// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structs and arrays as values become their leaves, the scalars and vectors in them: LLVM 22.1.8's SPIR-V
// back-end breaks phis of aggregates. Loads and stores become loads and stores of leaves. Only calls and
// returns keep aggregates.
#include "integer_stages.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Constants.h>

#include <vector>

namespace kiln::spirv {
namespace {

using Leaves = std::vector<llvm::Value *>;

struct Leaf {
  llvm::Type *type;
  uint64_t offset; ///< bytes
  llvm::SmallVector<unsigned, 4> path;
};

void append_leaves(const llvm::DataLayout &layout, llvm::Type *type, uint64_t offset,
                   llvm::SmallVector<unsigned, 4> &path, std::vector<Leaf> &leaves) {
  if (!type->isAggregateType()) {
    leaves.push_back({type, offset, path});
    return;
  }
  auto *structure = llvm::dyn_cast<llvm::StructType>(type);
  const uint64_t count = structure ? structure->getNumElements() : type->getArrayNumElements();
  for (unsigned i = 0; i < count; i++) {
    llvm::Type *part = structure ? structure->getElementType(i) : type->getArrayElementType();
    const uint64_t at = structure ? layout.getStructLayout(structure)->getElementOffset(i).getFixedValue()
                                  : i * layout.getTypeAllocSize(part).getFixedValue();
    path.push_back(i);
    append_leaves(layout, part, offset + at, path, leaves);
    path.pop_back();
  }
}

/// Number of leaves of a type.
size_t num_leaves(llvm::Type *type) {
  if (!type->isAggregateType()) return 1;
  if (type->isArrayTy()) return type->getArrayNumElements() * num_leaves(type->getArrayElementType());
  size_t count = 0;
  for (llvm::Type *part : llvm::cast<llvm::StructType>(type)->elements()) count += num_leaves(part);
  return count;
}

/// Position of the first leaf of the part at `indices`.
size_t first_leaf(llvm::Type *type, llvm::ArrayRef<unsigned> indices) {
  size_t first = 0;
  for (const unsigned index : indices) {
    if (type->isArrayTy()) {
      type = type->getArrayElementType();
      first += index * num_leaves(type);
      continue;
    }
    auto *structure = llvm::cast<llvm::StructType>(type);
    for (unsigned i = 0; i < index; i++) first += num_leaves(structure->getElementType(i));
    type = structure->getElementType(index);
  }
  return first;
}

class AggregateSplitter {
public:
  explicit AggregateSplitter(llvm::Function &function)
      : function_(function), layout_(function.getParent()->getDataLayout()) {}

  Result<void> run() {
    for (llvm::BasicBlock *block : llvm::ReversePostOrderTraversal<llvm::Function *>(&function_))
      for (llvm::Instruction &instruction : llvm::make_early_inc_range(*block))
        if (is_affected(instruction)) {
          llvm::IRBuilder<> builder(&instruction);
          KILN_CHECK(split(builder, instruction));
          old_.push_back(&instruction);
        } else {
          rebuild_operands(instruction);
        }
    complete_phis();
    for (llvm::Instruction *instruction : old_) instruction->dropAllReferences();
    for (llvm::Instruction *instruction : old_) instruction->eraseFromParent();
    return {};
  }

private:
  static bool is_other_aggregate(const llvm::Type *type) {
    return type->isAggregateType() && has_other(type);
  }

  static bool is_affected(const llvm::Instruction &instruction) {
    if (llvm::isa<llvm::LoadInst, llvm::PHINode, llvm::SelectInst, llvm::FreezeInst, llvm::InsertValueInst>(
            instruction))
      return instruction.getType()->isAggregateType();
    if (llvm::isa<llvm::ExtractValueInst>(instruction)) return true;
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return store->getValueOperand()->getType()->isAggregateType();
    return is_other_aggregate(instruction.getType()) ||
           llvm::any_of(instruction.operands(),
                        [](const llvm::Value *operand) { return is_other_aggregate(operand->getType()); });
  }

  std::vector<Leaf> leaves_of_type(llvm::Type *type) const {
    std::vector<Leaf> leaves;
    llvm::SmallVector<unsigned, 4> path;
    append_leaves(layout_, type, 0, path, leaves);
    return leaves;
  }

  /// Leaves of a value. Leaves of legal aggregates are extracted where `builder` stands.
  Leaves leaves_of(llvm::IRBuilder<> &builder, llvm::Value *value) {
    if (!value->getType()->isAggregateType()) return {value};
    if (auto found = leaves_.find(value); found != leaves_.end()) return found->second;
    Leaves leaves;
    for (const Leaf &leaf : leaves_of_type(value->getType())) {
      auto *part = llvm::dyn_cast<llvm::Constant>(value);
      if (!part) {
        leaves.push_back(builder.CreateExtractValue(value, leaf.path));
        continue;
      }
      for (const unsigned index : leaf.path) part = part->getAggregateElement(index);
      leaves.push_back(part);
    }
    return leaves;
  }

  /// Gives an instruction its leaves.
  void define(llvm::Instruction &old, Leaves leaves) {
    if (old.getType()->isAggregateType())
      leaves_[&old] = std::move(leaves);
    else
      old.replaceAllUsesWith(leaves.front());
  }

  /// Builds aggregates again from their leaves for an instruction that takes them whole: a call, a return.
  void rebuild_operands(llvm::Instruction &instruction) {
    for (llvm::Use &use : instruction.operands()) {
      auto found = leaves_.find(use.get());
      if (found == leaves_.end()) continue;
      llvm::IRBuilder<> builder(&instruction);
      llvm::Type *type = use->getType();
      llvm::Value *value = llvm::PoisonValue::get(type);
      for (auto [leaf, part] : llvm::zip(leaves_of_type(type), found->second))
        value = builder.CreateInsertValue(value, part, leaf.path);
      use.set(value);
    }
  }

  Result<void> split(llvm::IRBuilder<> &builder, llvm::Instruction &instruction) {
    llvm::Type *type = instruction.getType();
    auto operand = [&](unsigned i) { return leaves_of(builder, instruction.getOperand(i)); };
    Leaves leaves;
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      for (const Leaf &leaf : leaves_of_type(type))
        leaves.push_back(builder.CreatePHI(leaf.type, phi->getNumIncomingValues(), phi->getName()));
      phis_.push_back(phi);
    } else if (auto *insert = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
      leaves = operand(0);
      const Leaves part = operand(1);
      std::copy(part.begin(), part.end(), leaves.begin() + long(first_leaf(type, insert->getIndices())));
    } else if (auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
      const Leaves whole = operand(0);
      const size_t first = first_leaf(extract->getAggregateOperand()->getType(), extract->getIndices());
      leaves.assign(whole.begin() + long(first), whole.begin() + long(first + num_leaves(type)));
      if (leaves.empty()) leaves.push_back(llvm::PoisonValue::get(type)); // an empty struct
    } else if (llvm::isa<llvm::SelectInst>(instruction)) {
      for (auto [x, y] : llvm::zip(operand(1), operand(2)))
        leaves.push_back(builder.CreateSelect(instruction.getOperand(0), x, y));
    } else if (llvm::isa<llvm::FreezeInst>(instruction)) {
      for (llvm::Value *leaf : operand(0)) leaves.push_back(builder.CreateFreeze(leaf));
    } else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && !load->isAtomic()) {
      for (const Leaf &leaf : leaves_of_type(type)) leaves.push_back(load_leaf(builder, *load, leaf));
    } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && !store->isAtomic()) {
      for (auto [leaf, value] : llvm::zip(leaves_of_type(store->getValueOperand()->getType()), operand(0)))
        store_leaf(builder, *store, leaf, value);
      return {};
    } else
      return unsupported(instruction, "a struct or an array that contains such integers");
    define(instruction, std::move(leaves));
    return {};
  }

  llvm::Value *address(llvm::IRBuilder<> &builder, llvm::Value *pointer, uint64_t offset) const {
    if (offset == 0) return pointer;
    return builder.CreatePtrAdd(pointer,
                                llvm::ConstantInt::get(layout_.getIndexType(pointer->getType()), offset));
  }

  llvm::Value *load_leaf(llvm::IRBuilder<> &builder, llvm::LoadInst &load, const Leaf &leaf) const {
    auto *part = builder.CreateAlignedLoad(leaf.type, address(builder, load.getPointerOperand(), leaf.offset),
                                           llvm::commonAlignment(load.getAlign(), leaf.offset),
                                           load.isVolatile(), load.getName());
    part->copyMetadata(load, MemoryMetadata);
    return part;
  }

  void store_leaf(llvm::IRBuilder<> &builder, llvm::StoreInst &store, const Leaf &leaf,
                  llvm::Value *value) const {
    auto *part =
        builder.CreateAlignedStore(value, address(builder, store.getPointerOperand(), leaf.offset),
                                   llvm::commonAlignment(store.getAlign(), leaf.offset), store.isVolatile());
    part->copyMetadata(store, MemoryMetadata);
  }

  void complete_phis() {
    for (llvm::PHINode *phi : phis_)
      for (unsigned i = 0; i < phi->getNumIncomingValues(); i++) {
        llvm::IRBuilder<> builder(phi->getIncomingBlock(i)->getTerminator());
        for (auto [leaf, value] : llvm::zip(leaves_[phi], leaves_of(builder, phi->getIncomingValue(i))))
          llvm::cast<llvm::PHINode>(leaf)->addIncoming(value, phi->getIncomingBlock(i));
      }
  }

  llvm::Function &function_;
  const llvm::DataLayout &layout_;
  llvm::DenseMap<llvm::Value *, Leaves> leaves_; ///< never iterated
  std::vector<llvm::PHINode *> phis_;
  std::vector<llvm::Instruction *> old_;
};

} // namespace

Result<void> split_aggregates(llvm::Function &function) { return AggregateSplitter(function).run(); }

} // namespace kiln::spirv
