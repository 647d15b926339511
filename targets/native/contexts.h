// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Storage for values of threads that are live across regions (parts between barriers): one array per value,
// with one element per thread. The arrays are consecutive in the frame memory that the executor provides.
#pragma once

#include "thread_loop.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace kiln::native {

class Contexts {
public:
  using Slot = unsigned;

  /// Emits the computation of the arrays' addresses before `at`, which must dominate all uses.
  Contexts(llvm::Instruction &at, llvm::Value *state, const BlockFacts &facts);

  Slot add(llvm::Type *type) {
    return add(layout_.getTypeAllocSize(stored_type(type)), layout_.getABITypeAlign(stored_type(type)));
  }
  Slot add(uint64_t bytes, llvm::Align align);
  llvm::Value *base(Slot slot) const { return slots_[slot].base; }
  /// Emits the address of an array element. `linear`: linear index of the thread.
  llvm::Value *address(llvm::IRBuilder<> &ir, Slot slot, llvm::Value *linear) const;
  void store(llvm::IRBuilder<> &ir, Slot slot, llvm::Value *linear, llvm::Value *value) const;
  llvm::Value *load(llvm::IRBuilder<> &ir, Slot slot, llvm::Value *linear, llvm::Type *type) const;
  /// Assigns offsets to the arrays, and emits the request for the memory. Call it last.
  void finish();

private:
  struct Place {
    uint64_t bytes;
    llvm::Align align;
    llvm::BinaryOperator *offset; ///< offset of the array; finish() sets its constant operands
    llvm::Value *base;
  };
  /// Type in which a value is stored: i8 for i1, else unchanged.
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
