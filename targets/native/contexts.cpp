// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contexts.h"

#include <kiln/abi.h>

#include <llvm/IR/Module.h>

#include <algorithm>

namespace kiln::native {

using llvm::Value;

Contexts::Contexts(llvm::Instruction &at, Value *state, const BlockFacts &facts)
    : at_(at), facts_(facts), layout_(at.getModule()->getDataLayout()) {
  llvm::IRBuilder<> ir(&at);
  auto frames = at.getModule()->getOrInsertFunction(abi::NativeFramesSymbol, ir.getPtrTy(), ir.getPtrTy(),
                                                    ir.getInt64Ty(), ir.getInt32Ty());
  memory_ = ir.CreateCall(frames, {state, ir.getInt64(0), ir.getInt32(1)}, "contexts");
  memory_->addRetAttr(llvm::Attribute::NoAlias);
}

Contexts::Slot Contexts::add(uint64_t bytes, llvm::Align align) {
  llvm::IRBuilder<> ir(&at_);
  auto *offset = llvm::BinaryOperator::CreateMul(facts_.count64, ir.getInt64(0), "", at_.getIterator());
  slots_.push_back({llvm::alignTo(bytes, align), align, offset,
                    ir.CreateInBoundsGEP(ir.getInt8Ty(), memory_, offset, "context")});
  return Slot(slots_.size() - 1);
}

Value *Contexts::address(llvm::IRBuilder<> &ir, Slot slot, Value *linear) const {
  const Place &place = slots_[slot];
  return ir.CreateInBoundsGEP(llvm::ArrayType::get(ir.getInt8Ty(), place.bytes), place.base, linear);
}

void Contexts::store(llvm::IRBuilder<> &ir, Slot slot, Value *linear, Value *value) const {
  llvm::Type *type = stored_type(value->getType());
  Value *address = ir.CreateInBoundsGEP(type, slots_[slot].base, linear);
  ir.CreateAlignedStore(type == value->getType() ? value : ir.CreateZExt(value, type), address,
                        slots_[slot].align);
}

Value *Contexts::load(llvm::IRBuilder<> &ir, Slot slot, Value *linear, llvm::Type *type) const {
  llvm::Type *stored = stored_type(type);
  Value *loaded = ir.CreateAlignedLoad(stored, ir.CreateInBoundsGEP(stored, slots_[slot].base, linear),
                                       slots_[slot].align);
  return stored == type ? loaded : ir.CreateTrunc(loaded, type);
}

void Contexts::finish() {
  // Arrays of scalar values come first, each with space for the largest block: constant offsets save
  // registers and address computations. Their offsets within a page differ, since caches with few ways would
  // conflict.
  constexpr uint64_t largest_value = 16, page_part = 576;
  uint64_t fixed = 0;
  std::vector<Place *> order;
  for (Place &place : slots_)
    if (place.bytes <= largest_value) {
      llvm::cast<llvm::GetElementPtrInst>(place.base)
          ->setOperand(1, llvm::ConstantInt::get(facts_.count64->getType(), fixed));
      place.offset->eraseFromParent();
      fixed += max_block_threads * place.bytes + page_part;
    } else {
      order.push_back(&place);
    }
  // Arrays of larger values follow, sorted by decreasing alignment. Each is then aligned for any number of
  // threads.
  std::stable_sort(order.begin(), order.end(),
                   [](const Place *a, const Place *b) { return a->align > b->align; });
  llvm::IRBuilder<> ir(memory_);
  uint64_t bytes = 0;
  for (Place *place : order) {
    place->offset->setOperand(1, ir.getInt64(bytes));
    if (fixed) {
      ir.SetInsertPoint(place->offset->getNextNode());
      auto *base = llvm::cast<llvm::GetElementPtrInst>(place->base);
      base->setOperand(1, ir.CreateNUWAdd(place->offset, ir.getInt64(fixed)));
    }
    bytes += place->bytes;
  }
  if (!fixed && !bytes) {
    memory_->eraseFromParent();
    return;
  }
  ir.SetInsertPoint(memory_);
  memory_->setArgOperand(
      1, ir.CreateNUWAdd(ir.CreateNUWMul(facts_.count64, ir.getInt64(bytes)), ir.getInt64(fixed)));
}

} // namespace kiln::native
