// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loop_values.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>

namespace kiln::waits {

using llvm::Instruction;
using llvm::Value;

static constexpr unsigned max_compared_depth = 16; ///< depth of compared expressions

const Value *underlying_object(const Value *pointer) {
  return llvm::getUnderlyingObject(pointer, /*MaxLookup=*/0);
}

bool is_known_object(const Value *object) {
  return !llvm::isa<llvm::LoadInst>(object) && !llvm::isa<llvm::PHINode>(object) &&
         !llvm::isa<llvm::SelectInst>(object) && !llvm::isa<llvm::CallBase>(object) &&
         !llvm::isa<llvm::IntToPtrInst>(object);
}

const Value *pointer_of(const Instruction &instruction) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->getPointerOperand();
  if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return update->getPointerOperand();
  if (auto *swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) return swap->getPointerOperand();
  return nullptr;
}

bool is_same_value(const Value *a, const Value *b, unsigned depth) {
  if (a == b) return true;
  auto *x = llvm::dyn_cast<Instruction>(a), *y = llvm::dyn_cast<Instruction>(b);
  if (!x || !y || depth > max_compared_depth || !x->isSameOperationAs(y) || x->mayReadOrWriteMemory() ||
      llvm::isa<llvm::PHINode>(x))
    return false;
  for (unsigned i = 0; i < x->getNumOperands(); ++i)
    if (!is_same_value(x->getOperand(i), y->getOperand(i), depth + 1)) return false;
  return true;
}

bool is_invariant(const Value *value, const llvm::Loop &loop, unsigned depth) {
  auto *instruction = llvm::dyn_cast<Instruction>(value);
  if (!instruction || !loop.contains(instruction)) return true;
  if (depth > max_compared_depth || llvm::isa<llvm::PHINode>(instruction)) return false;
  auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction);
  if (instruction->mayReadOrWriteMemory() &&
      !(load && load->hasMetadata(llvm::LLVMContext::MD_invariant_load)))
    return false;
  return llvm::all_of(instruction->operands(),
                      [&](const Value *operand) { return is_invariant(operand, loop, depth + 1); });
}

} // namespace kiln::waits
