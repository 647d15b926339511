// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exit_slice.h"

#include "loop_values.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>

namespace kiln::waits {
namespace {

using llvm::Instruction;
using llvm::Value;

const Value *without_casts(const Value *value) {
  for (;;) {
    if (auto *cast = llvm::dyn_cast<llvm::CastInst>(value))
      value = cast->getOperand(0);
    else if (auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(value))
      value = part->getAggregateOperand();
    else
      return value;
  }
}

} // namespace

ExitSlice::ExitSlice(const llvm::Loop &loop, const FunctionEffects &effects,
                     const std::set<const BasicBlock *> &returning)
    : loop_(loop), effects_(effects), returning_(returning), all_live_(!returning.count(loop.getHeader())) {
  collect_writes();
  find_lock_free_updates();
  for (BasicBlock *block : loop_.blocks())
    for (const BasicBlock *next : llvm::successors(block))
      if (!loop_.contains(next) && is_live(*next)) {
        add_branch(*block);
        add_control(*block);
      }
  while (!pending_.empty()) {
    const Instruction *instruction = pending_.back();
    pending_.pop_back();
    visit(*instruction);
  }
}

void ExitSlice::collect_writes() {
  for (BasicBlock *block : loop_.blocks())
    for (const Instruction &instruction : *block) {
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        writes_[underlying_object(store->getPointerOperand())].push_back(&instruction);
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!call || call->doesNotAccessMemory() || call->onlyReadsMemory() ||
          (intrinsic && intrinsic->isAssumeLikeIntrinsic()))
        continue;
      for (const Value *argument : call->args())
        if (argument->getType()->isPointerTy()) writes_[underlying_object(argument)].push_back(&instruction);
    }
}

/// Finds lock-free updates. A compare-and-swap whose expected value was read from the same address fails only
/// if another thread succeeded. A loop with such an update in each iteration does not wait for other threads.
void ExitSlice::find_lock_free_updates() {
  std::vector<const llvm::AtomicCmpXchgInst *> swaps;
  for (BasicBlock *block : loop_.blocks())
    for (const Instruction &instruction : *block)
      if (auto *swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
        if (is_lock_free(*swap)) swaps.push_back(swap);
  if (swaps.empty()) return;
  // Search a path through an iteration that contains no such update.
  Blocks seen;
  std::vector<const BasicBlock *> blocks{loop_.getHeader()};
  const auto has_swap = [&](const BasicBlock *block) {
    return llvm::any_of(swaps, [&](const auto *swap) { return swap->getParent() == block; });
  };
  while (!blocks.empty()) {
    const BasicBlock *block = blocks.back();
    blocks.pop_back();
    if (has_swap(block)) continue;
    for (const BasicBlock *next : llvm::successors(block)) {
      if (next == loop_.getHeader()) return;
      if (loop_.contains(next) && seen.insert(next).second) blocks.push_back(next);
    }
  }
  lock_free_.insert(swaps.begin(), swaps.end());
}

bool ExitSlice::is_lock_free(const llvm::AtomicCmpXchgInst &swap) const {
  std::set<const Value *> seen; // never iterated
  std::vector<const Value *> values{swap.getCompareOperand()};
  while (!values.empty()) {
    auto *instruction = llvm::dyn_cast<Instruction>(values.back());
    values.pop_back();
    if (!instruction || !loop_.contains(instruction) || !seen.insert(instruction).second) continue;
    if (instruction == &swap) return true;
    if (const Value *pointer = pointer_of(*instruction)) {
      if (is_same_value(pointer, swap.getPointerOperand())) return true;
      continue;
    }
    for (const Value *operand : instruction->operands()) values.push_back(operand);
  }
  return false;
}

/// True if the thread's own additions advance the counter, and no other instruction of the loop changes it
/// back. Such a loop ends without the help of other threads.
bool ExitSlice::is_counter(const llvm::AtomicRMWInst &update) const {
  const auto operation = update.getOperation();
  auto *step = llvm::dyn_cast<llvm::ConstantInt>(update.getValOperand());
  if ((operation != llvm::AtomicRMWInst::Add && operation != llvm::AtomicRMWInst::Sub) || !step ||
      step->isZero() || !is_invariant(update.getPointerOperand(), loop_))
    return false;
  const Value *object = underlying_object(update.getPointerOperand());
  for (BasicBlock *block : loop_.blocks())
    for (const Instruction &other : *block) {
      if (&other == &update) continue;
      const Effects effects = effects_.get(other);
      if (!effects.synchronises || !effects.writes) continue;
      const Value *pointer = pointer_of(other);
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&other)) pointer = store->getPointerOperand();
      const Value *other_object = pointer ? underlying_object(pointer) : nullptr;
      if (!other_object || other_object == object || !is_known_object(other_object) ||
          !is_known_object(object))
        return false;
    }
  return true;
}

unsigned ExitSlice::live_successors(const BasicBlock &block) const {
  Blocks next;
  for (const BasicBlock *each : llvm::successors(&block))
    if (is_live(*each)) next.insert(each);
  return unsigned(next.size());
}

void ExitSlice::add(const Value *value) {
  auto *instruction = llvm::dyn_cast<Instruction>(value);
  if (instruction && loop_.contains(instruction) && slice_.insert(instruction).second)
    pending_.push_back(instruction);
}

void ExitSlice::add_branch(const BasicBlock &block) {
  if (live_successors(block) < 2 || !branches_.insert(&block).second) return;
  add(block.getTerminator()->getOperand(0));
}

/// Adds to the slice the branches that decide whether an iteration reaches `block`.
void ExitSlice::add_control(const BasicBlock &block) {
  if (&block == loop_.getHeader() || !controlled_.insert(&block).second) return;
  Blocks reach;
  reach.insert(&block);
  std::vector<const BasicBlock *> blocks{&block};
  while (!blocks.empty()) {
    const BasicBlock *at = blocks.back();
    blocks.pop_back();
    if (at == loop_.getHeader()) continue;
    for (const BasicBlock *before : llvm::predecessors(at))
      if (loop_.contains(before) && reach.insert(before).second) blocks.push_back(before);
  }
  // Blocks from which every path leads to `block`; inner loops are assumed to end.
  Blocks certain = reach;
  const auto may_miss = [&](const BasicBlock *at) {
    return llvm::any_of(llvm::successors(at), [&](const BasicBlock *next) {
      return is_live(*next) && (!stays(*next) || !certain.count(next));
    });
  };
  blocks.assign(reach.begin(), reach.end());
  while (!blocks.empty()) {
    const BasicBlock *at = blocks.back();
    blocks.pop_back();
    if (at == &block || !certain.count(at) || !may_miss(at)) continue;
    certain.erase(at);
    for (const BasicBlock *before : llvm::predecessors(at))
      if (certain.count(before)) blocks.push_back(before);
  }
  for (const BasicBlock *at : reach)
    if (!certain.count(at)) add_branch(*at), add_control(*at);
}

void ExitSlice::add_edge(const BasicBlock &from) {
  add_branch(from);
  add_control(from);
}

void ExitSlice::note(const Effects &effects) {
  reads_synchronised_ |= effects.synchronises && effects.reads;
  reads_memory_ |= effects.reads;
  reads_clock_ |= effects.reads_clock;
}

void ExitSlice::visit(const Instruction &instruction) {
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return visit_phi(*phi);
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return visit_load(*load);
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return visit_call(*call);
  if (auto *test = llvm::dyn_cast<llvm::CmpInst>(&instruction); test && visit_success_test(*test)) return;
  if (auto *swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    if (!lock_free_.count(swap)) note(effects_.get(*swap));
    return;
  }
  if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction); update && !is_counter(*update))
    note(effects_.get(*update));
  for (const Value *operand : instruction.operands()) add(operand);
}

void ExitSlice::visit_phi(const llvm::PHINode &phi) {
  unsigned inside = 0;
  const Value *first = nullptr;
  bool differs = false;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    if (!loop_.contains(phi.getIncomingBlock(i))) continue;
    const Value *value = phi.getIncomingValue(i);
    add(value);
    differs |= first && first != value;
    first = value;
    ++inside;
  }
  if (inside < 2 || !differs) return;
  for (const BasicBlock *from : phi.blocks())
    if (loop_.contains(from)) add_edge(*from);
}

void ExitSlice::visit_load(const llvm::LoadInst &load) {
  add(load.getPointerOperand());
  const Value *object = underlying_object(load.getPointerOperand());
  const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(object);
  if (variable) variables_.insert(variable);
  const Effects effects = effects_.get(load);
  note(effects);
  if (variable || effects.reads) add_writes_of(object);
}

/// Adds to the slice the values that the loop itself writes to the object, or to objects that may alias it.
void ExitSlice::add_writes_of(const Value *object) {
  const auto add_all = [&](const std::vector<const Instruction *> &writes) {
    for (const Instruction *write : writes) {
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(write))
        add(store->getValueOperand());
      else
        add(write);
      add_control(*write->getParent());
    }
  };
  if (!written_.insert(object).second) return;
  if (is_known_object(object)) {
    if (auto found = writes_.find(object); found != writes_.end()) add_all(found->second);
    for (const auto &[other, writes] : writes_)
      if (!is_known_object(other) && !llvm::isa<llvm::AllocaInst>(object) && written_.insert(other).second)
        add_all(writes);
    return;
  }
  for (const auto &[other, writes] : writes_)
    if (!llvm::isa<llvm::AllocaInst>(other) && (other == object || written_.insert(other).second))
      add_all(writes);
}

void ExitSlice::visit_call(const llvm::CallBase &call) {
  note(effects_.get(call));
  for (const Value *argument : call.args()) {
    add(argument);
    if (!argument->getType()->isPointerTy()) continue;
    if (const llvm::AllocaInst *variable = local_variable(*argument)) {
      variables_.insert(variable);
      add_writes_of(variable);
    }
  }
}

/// Handles a test `old == expected` after a lock-free update: adds only the old value, since the expected
/// value alone decides nothing.
bool ExitSlice::visit_success_test(const llvm::CmpInst &test) {
  for (unsigned i = 0; i < 2; ++i) {
    const Value *old = without_casts(test.getOperand(i)), *other = without_casts(test.getOperand(1 - i));
    auto *swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(old);
    if (!swap || !lock_free_.count(swap) || other != without_casts(swap->getCompareOperand())) continue;
    add(test.getOperand(i));
    return true;
  }
  return false;
}

} // namespace kiln::waits
