// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "idle_turns.h"

#include "loop_values.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>

namespace kiln::waits {

using llvm::AtomicRMWInst;
using llvm::BasicBlock;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

/// Depth of expressions that depends_on_read_alone() follows.
static constexpr unsigned max_read_depth = 6;

bool is_barrier(const Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->isDeclaration()) return false;
  const llvm::StringRef name = callee->getName();
  return name == "kiln.barrier" || name == "kiln.wait.barrier" || name == "kiln.wait.grid";
}

/// The constant that an atomic addition adds, with the sign of a subtraction. Null for other updates.
static std::optional<llvm::APInt> constant_step(const Instruction &instruction) {
  auto *update = llvm::dyn_cast<AtomicRMWInst>(&instruction);
  auto *step = update ? llvm::dyn_cast<llvm::ConstantInt>(update->getValOperand()) : nullptr;
  if (!step) return std::nullopt;
  if (update->getOperation() == AtomicRMWInst::Add) return step->getValue();
  if (update->getOperation() == AtomicRMWInst::Sub) return -step->getValue();
  return std::nullopt;
}

/// True if a second update with the same operand leaves the memory as the first has left it.
static bool is_idempotent(AtomicRMWInst::BinOp operation) {
  switch (operation) {
  case AtomicRMWInst::Xchg:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
  case AtomicRMWInst::FMax:
  case AtomicRMWInst::FMin: return true;
  default: return false;
  }
}

IdleTurns::IdleTurns(const llvm::Loop &loop, const ExitSlice &slice, const FunctionEffects &effects,
                     IdleWrites writes)
    : loop_(loop), slice_(slice), effects_(effects), writes_(writes) {
  if (writes_ == IdleWrites::Ineffective) {
    find_exit_reads();
    asks_other_blocks_ = asks_other_blocks();
  }
  std::vector<BasicBlock *> pending{loop_.getHeader()};
  std::set<const BasicBlock *> seen{loop_.getHeader()}; // never iterated
  while (!pending.empty()) {
    BasicBlock *block = pending.back();
    pending.pop_back();
    if (llvm::any_of(*block, [&](const Instruction &each) { return is_work(each); })) continue;
    idle_blocks_.insert(block);
    for (BasicBlock *next : llvm::successors(block))
      if (loop_.contains(next) && seen.insert(next).second) pending.push_back(next);
  }
  for (BasicBlock *latch : llvm::predecessors(loop_.getHeader())) {
    if (!loop_.contains(latch) || !idle_blocks_.count(latch) || llvm::is_contained(latches_, latch)) continue;
    if (llvm::all_of(loop_.getHeader()->phis(), [&](const PHINode &phi) { return may_stay(phi, *latch); }))
      latches_.push_back(latch);
  }
}

/// Finds the memory on which the exits depend, and the values from which the addresses of swaps come. The
/// slice has no addresses of swaps.
void IdleTurns::find_exit_reads() {
  std::vector<const Value *> pending;
  for (const BasicBlock *block : loop_.blocks())
    for (const Instruction &instruction : *block) {
      if (!slice_.contains(instruction)) continue;
      add_read_of(instruction);
      if (auto *swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
        pending.push_back(swap->getPointerOperand());
    }
  while (!pending.empty()) {
    auto *instruction = llvm::dyn_cast<Instruction>(pending.back());
    pending.pop_back();
    if (!instruction || !loop_.contains(instruction) || !addresses_.insert(instruction).second) continue;
    add_read_of(*instruction);
    for (const Value *operand : instruction->operands()) pending.push_back(operand);
  }
}

void IdleTurns::add_read_of(const Instruction &instruction) {
  if (!effects_.get(instruction).reads) return;
  const Value *pointer = pointer_of(instruction);
  const Value *object = pointer ? underlying_object(pointer) : nullptr;
  if (object && is_known_object(object))
    exit_reads_.insert(object);
  else
    reads_unknown_ = true;
}

/// True if the instruction reads memory that the loop does not change. Only threads outside the loop write
/// it.
bool IdleTurns::reads_from_outside(const Instruction &instruction) const {
  const Value *pointer = effects_.get(instruction).reads ? pointer_of(instruction) : nullptr;
  const Value *object = pointer ? underlying_object(pointer) : nullptr;
  if (!object || !is_known_object(object)) return false;
  for (const BasicBlock *block : loop_.blocks())
    for (const Instruction &other : *block) {
      if (is_barrier(other) || !effects_.get(other).writes) continue;
      auto *store = llvm::dyn_cast<llvm::StoreInst>(&other);
      const Value *written = store ? store->getPointerOperand() : pointer_of(other);
      const Value *changed = written ? underlying_object(written) : nullptr;
      if (!changed || !is_known_object(changed) || changed == object) return false;
    }
  return true;
}

/// True if the value depends only on values and memory that the loop does not change.
bool IdleTurns::comes_from_outside(const Value *value, unsigned depth) const {
  auto *instruction = llvm::dyn_cast<Instruction>(value);
  if (!instruction || is_invariant(value, loop_) || reads_from_outside(*instruction)) return true;
  if (depth > max_read_depth || llvm::isa<PHINode>(instruction) || instruction->mayReadOrWriteMemory())
    return false;
  return llvm::all_of(instruction->operands(),
                      [&](const llvm::Use &use) { return comes_from_outside(use, depth + 1); });
}

/// True if an exit depends on an atomic or volatile read of memory that the loop does not change. If the loop
/// has a barrier in each iteration, all threads of the block are in it, so that only another block can write.
/// A loop that changes anything on which its exits depend works by itself.
bool IdleTurns::asks_other_blocks() const {
  for (const BasicBlock *block : loop_.blocks())
    for (const Instruction &instruction : *block)
      if (!is_barrier(instruction) && effects_.get(instruction).writes && is_effective(instruction))
        return false;
  for (const BasicBlock *block : loop_.blocks())
    for (const Instruction &instruction : *block) {
      if (slice_.contains(instruction) && effects_.get(instruction).synchronises &&
          reads_from_outside(instruction))
        return true;
    }
  return false;
}

/// True if the phi may have the same value in the iteration after `latch`, or if no exit depends on it.
bool IdleTurns::may_stay(const PHINode &phi, BasicBlock &latch) const {
  if (!slice_.contains(phi) && !addresses_.count(&phi)) return true;
  if (!phi.getType()->isIntOrPtrTy() && !phi.getType()->isFloatingPointTy()) return false;
  std::set<const Value *> values; // never iterated
  return may_be(phi.getIncomingValueForBlock(&latch), phi, values);
}

/// True if an instruction makes an iteration non-idle. False for calls that only read, and for updates that
/// write back the value that they read.
bool IdleTurns::is_work(const Instruction &instruction) const {
  if (is_barrier(instruction)) return !asks_other_blocks_; // lets the block's other threads run
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    if (const llvm::AllocaInst *variable = local_variable(*store->getPointerOperand()))
      return slice_.contains(*variable);
  bool writes = effects_.get(instruction).writes;
  if (auto *swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    writes = !loop_.isLoopInvariant(swap->getCompareOperand());
  return writes && (writes_ == IdleWrites::FailedSwaps || is_effective(instruction));
}

/// True if the write may change memory on which the exits depend.
bool IdleTurns::is_effective(const Instruction &instruction) const {
  auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  const Value *pointer = store ? store->getPointerOperand() : pointer_of(instruction);
  return !pointer || (is_read_by_exits(pointer) && !may_repeat(instruction));
}

/// True if the exits may depend on the object at the address. Two arguments are taken for different objects.
bool IdleTurns::is_read_by_exits(const Value *pointer) const {
  const Value *object = underlying_object(pointer);
  return reads_unknown_ || !is_known_object(object) || exit_reads_.count(object);
}

/// True if the instruction may write what is in memory already, because the iteration before wrote it or
/// because this iteration restores it.
bool IdleTurns::may_repeat(const Instruction &instruction) const {
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    return is_invariant(store->getPointerOperand(), loop_) && comes_from_outside(store->getValueOperand(), 0);
  }
  auto *update = llvm::dyn_cast<AtomicRMWInst>(&instruction);
  if (!update || !is_invariant(update->getPointerOperand(), loop_)) return false;
  if (is_idempotent(update->getOperation())) return is_invariant(update->getValOperand(), loop_);
  return is_taken_back(*update);
}

/// True if another update of the loop subtracts from the same address what this one adds, or adds what this
/// one subtracts.
bool IdleTurns::is_taken_back(const AtomicRMWInst &update) const {
  const std::optional<llvm::APInt> step = constant_step(update);
  if (!step) return false;
  for (const BasicBlock *block : loop_.blocks())
    for (const Instruction &other : *block) {
      const std::optional<llvm::APInt> back = constant_step(other);
      if (back && back->getBitWidth() == step->getBitWidth() && *back == -*step &&
          is_same_value(llvm::cast<AtomicRMWInst>(other).getPointerOperand(), update.getPointerOperand()))
        return true;
    }
  return false;
}

/// True if the value may be the phi's own, so that the phi stays the same in the next iteration.
bool IdleTurns::may_be(const Value *value, const PHINode &phi, std::set<const Value *> &seen) const {
  if (value == &phi) return true;
  if (llvm::isa<llvm::UndefValue>(value) || !seen.insert(value).second) return false;
  // a constant leaves the phi unchanged if it is also the phi's initial value
  if (auto *constant = llvm::dyn_cast<llvm::Constant>(value))
    return llvm::is_contained(phi.incoming_values(), constant) && begins_with(phi, *constant);
  if (auto *joined = llvm::dyn_cast<PHINode>(value);
      joined && loop_.contains(joined) && joined->getParent() != loop_.getHeader()) {
    for (unsigned i = 0; i < joined->getNumIncomingValues(); ++i)
      if (idle_blocks_.count(joined->getIncomingBlock(i)) && may_be(joined->getIncomingValue(i), phi, seen))
        return true;
    return false;
  }
  if (auto *select = llvm::dyn_cast<llvm::SelectInst>(value))
    return may_be(select->getTrueValue(), phi, seen) || may_be(select->getFalseValue(), phi, seen);
  // A loaded value is the same in the next iteration unless another thread wrote.
  auto *instruction = llvm::dyn_cast<Instruction>(value);
  return instruction && loop_.contains(instruction) && depends_on_read_alone(*instruction, 0);
}

bool IdleTurns::begins_with(const PHINode &phi, const llvm::Constant &constant) const {
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
    if (!loop_.contains(phi.getIncomingBlock(i)) && phi.getIncomingValue(i) == &constant) return true;
  return false;
}

/// True if the value depends on no phi, so that only memory can change it between iterations.
bool IdleTurns::depends_on_read_alone(const Instruction &instruction, unsigned depth) const {
  if (depth > max_read_depth || llvm::isa<PHINode>(instruction)) return false;
  return llvm::all_of(instruction.operands(), [&](const llvm::Use &use) {
    auto *operand = llvm::dyn_cast<Instruction>(use);
    return !operand || !loop_.contains(operand) || depends_on_read_alone(*operand, depth + 1);
  });
}

} // namespace kiln::waits
