// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the threads of a block keep what lives from one region to another: an array of one element a thread
// for each value, one behind the other, in the memory that the executor keeps for frames.
#pragma once

#include "thread_loop.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace kiln::native {

class Contexts {
public:
  using Slot = unsigned;

  /// Addresses are computed in front of `at`, which every use is behind.
  Contexts(llvm::Instruction &at, llvm::Value *state, const BlockFacts &facts);

  Slot add(llvm::Type *type) {
    return add(layout_.getTypeAllocSize(stored_type(type)), layout_.getABITypeAlign(stored_type(type)));
  }
  Slot add(uint64_t bytes, llvm::Align align);
  llvm::Value *base(Slot slot) const { return slots_[slot].base; }
  /// Of the thread with this linear index.
  llvm::Value *address(llvm::IRBuilder<> &ir, Slot slot, llvm::Value *linear) const;
  void store(llvm::IRBuilder<> &ir, Slot slot, llvm::Value *linear, llvm::Value *value) const;
  llvm::Value *load(llvm::IRBuilder<> &ir, Slot slot, llvm::Value *linear, llvm::Type *type) const;
  /// Lays the arrays out and asks for the memory. Comes last.
  void finish();

private:
  struct Place {
    uint64_t bytes;
    llvm::Align align;
    llvm::BinaryOperator *offset; ///< finish() fills in what is added to and what is multiplied
    llvm::Value *base;
  };
  /// An i1 is stored as a byte.
  static llvm::Type *stored_type(llvm::Type *type) {
    return type->isIntegerTy(1) ? llvm::Type::getInt8Ty(type->getContext()) : type;
  }

  llvm::Instruction &at_;
  const BlockFacts &facts_;
  const llvm::DataLayout &layout_;
  llvm::CallInst *memory_;
  std::vector<Place> slots_;
};

} // namespace kiln::native
