// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Storage for values of threads that live across regions: one array per value, with one element per thread.
// The arrays are consecutive in the frame memory of the executor.
#pragma once

#include "thread_loop.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace kiln::native {

class Contexts {
public:
  using Slot = unsigned;

  /// Computes addresses before `at`, which must dominate every use.
  Contexts(llvm::Instruction &at, llvm::Value *state, const BlockFacts &facts);

  Slot add(llvm::Type *type) {
    return add(layout_.getTypeAllocSize(stored_type(type)), layout_.getABITypeAlign(stored_type(type)));
  }
  Slot add(uint64_t bytes, llvm::Align align);
  llvm::Value *base(Slot slot) const { return slots_[slot].base; }
  /// Address of the element of the thread with this linear index.
  llvm::Value *address(llvm::IRBuilder<> &ir, Slot slot, llvm::Value *linear) const;
  void store(llvm::IRBuilder<> &ir, Slot slot, llvm::Value *linear, llvm::Value *value) const;
  llvm::Value *load(llvm::IRBuilder<> &ir, Slot slot, llvm::Value *linear, llvm::Type *type) const;
  /// Assigns offsets and requests the memory. Call it last.
  void finish();

private:
  struct Place {
    uint64_t bytes;
    llvm::Align align;
    llvm::BinaryOperator *offset; ///< the constants are set by finish()
    llvm::Value *base;
  };
  /// Type in memory: an i1 takes a byte.
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
