// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stride_shape.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>

namespace kiln::native {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

Value *step_of(const PHINode &phi, Value *value) {
  auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (!sum || (sum->getOpcode() != Instruction::Add && sum->getOpcode() != Instruction::Sub)) return nullptr;
  const bool first = sum->getOperand(0) == &phi,
             second = sum->getOperand(1) == &phi && sum->getOpcode() == Instruction::Add;
  return first || second ? sum->getOperand(first ? 1 : 0) : nullptr;
}

namespace {

bool is_harmless(const BasicBlock &block) {
  return llvm::all_of(block, [](const Instruction &instruction) {
    return instruction.isTerminator() || instruction.isDebugOrPseudoInst() ||
           (!llvm::isa<PHINode>(instruction) &&
            (!instruction.mayReadOrWriteMemory() || is_invariant_load(instruction)) &&
            llvm::isSafeToSpeculativelyExecute(&instruction));
  });
}

} // namespace

bool StrideShape::find() {
  if (!has_shape() || !find_growing() || !find_guard() || !reads_side_by_side() ||
      !across_.supports(stay_condition()) || !can_repeat(stay_condition()))
    return false;
  find_checks();
  return true;
}

bool StrideShape::has_shape() {
  header_ = loop_.getHeader(), latch_ = loop_.getLoopLatch(), before_ = loop_.getLoopPreheader();
  if (!loop_.isLoopSimplifyForm() || !loop_.isInnermost() || !loop_.isLoopExiting(latch_) ||
      !loop_.isSafeToClone())
    return false;
  end_ = llvm::dyn_cast<BranchInst>(latch_->getTerminator());
  if (!end_ || !end_->isConditional()) return false;
  stays_if_ = end_->getSuccessor(0) == header_;
  exit_ = end_->getSuccessor(stays_if_ ? 1 : 0);
  // Reject loops that threads leave elsewhere than at the latch, except by throwing.
  llvm::SmallVector<BasicBlock *, 4> exiting;
  loop_.getExitingBlocks(exiting);
  for (BasicBlock *block : exiting)
    for (BasicBlock *next : llvm::successors(block))
      if (block != latch_ && !loop_.contains(next) && uniformity_.lives(next)) return false;
  return exit_->getSinglePredecessor() == latch_;
}

bool StrideShape::find_growing() {
  bool side_by_side = false;
  for (PHINode &phi : header_->phis()) {
    Value *start = phi.getIncomingValueForBlock(before_), *next = phi.getIncomingValueForBlock(latch_);
    Value *step = phi.getType()->isIntegerTy() ? step_of(phi, next) : nullptr;
    if (!step || !loop_.isLoopInvariant(step) || !is_uniform(step) || !across_.slope(start)) continue;
    growing_.push_back({&phi, start, llvm::cast<llvm::BinaryOperator>(next), step});
    across_.add_phi(phi, start);
    side_by_side |= !across_.slope(start)->constant();
  }
  return side_by_side;
}
bool StrideShape::is_uniform(const Value *value) const {
  if (is_thread_index(*value)) return false;
  auto *instruction = llvm::dyn_cast<Instruction>(value);
  return !instruction || uniformity_.is_uniform(*instruction);
}

/// Finds the branch that decides whether a thread enters the loop. Without such a branch, all threads enter.
bool StrideShape::find_guard() {
  BasicBlock *block = before_;
  while (is_harmless(*block) && llvm::succ_size(block) == 1 && block->getSinglePredecessor()) {
    between_.push_back(block);
    block = block->getSinglePredecessor();
  }
  auto *branch = llvm::dyn_cast<BranchInst>(block->getTerminator());
  if (between_.empty() || !branch || !branch->isConditional() || uniformity_.ends_uniformly(block)) {
    between_.clear(); // all threads arrive together; otherwise the region plan rejects the kernel
    guard_ = before_;
    has_turn_ = llvm::ConstantInt::getTrue(kernel_.getContext());
    return true;
  }
  guard_ = block;
  turn_if_ = branch->getSuccessor(0) == between_.back();
  other_ = branch->getSuccessor(turn_if_ ? 1 : 0);
  has_turn_ = branch->getCondition();
  return other_ != between_.back() && across_.supports(has_turn_);
}
/// True if some accesses are contiguous across threads, and no call has effects that other threads could
/// observe.
bool StrideShape::reads_side_by_side() {
  unsigned found = 0;
  for (BasicBlock *block : loop_.blocks())
    for (Instruction &instruction : *block) {
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
        if (call->isConvergent() ||
            (call->mayHaveSideEffects() && !call->isAtomic() && !llvm::isa<llvm::IntrinsicInst>(call)))
          return false;
      } else if (instruction.isVolatile()) {
        return false;
      } else if (const Value *pointer = llvm::getLoadStorePointerOperand(&instruction)) {
        std::optional<Slope> slope = across_.slope(pointer);
        const uint64_t bytes = kernel_.getDataLayout().getTypeAllocSize(llvm::getLoadStoreType(&instruction));
        found += slope && !slope->either_sign && slope->step > 0 && uint64_t(slope->step) <= 4 * bytes;
      }
    }
  return found != 0;
}

/// Collects the checks that every iteration executes. Other checks stay in the loop: if decided before an
/// iteration, they would also reject iterations that skip them.
void StrideShape::find_checks() {
  for (BasicBlock *block : loop_.blocks()) {
    auto leaves = [&](const BasicBlock *next) { return !loop_.contains(next) && next != exit_; };
    if (llvm::none_of(llvm::successors(block), leaves)) continue;
    auto *branch = llvm::dyn_cast<BranchInst>(block->getTerminator());
    if (block != latch_ && branch && branch->isConditional() && tree_.dominates(block, latch_) &&
        across_.supports(branch->getCondition()) && is_known_before(branch->getCondition()))
      checks_.push_back({branch, leaves(branch->getSuccessor(0)) ? 1u : 0u});
    else
      may_throw_ = true;
  }
}

/// True if the value depends only on growing phis and on values from before the loop. Uniform values of the
/// loop are excluded, since they are computed only in the iteration.
bool StrideShape::is_known_before(const Value *value, unsigned depth) const {
  auto *instruction = llvm::dyn_cast<Instruction>(value);
  if (!instruction || !loop_.contains(instruction)) return true;
  if (auto *phi = llvm::dyn_cast<PHINode>(instruction)) return is_growing(*phi);
  return depth < 8 && !uniformity_.is_uniform(*instruction) &&
         llvm::all_of(
             instruction->operands(), [&](const llvm::Use &use) { return is_known_before(use, depth + 1); });
}

/// True if the value can be recomputed after the loop: it depends only on growing phis and loop invariants.
bool StrideShape::can_repeat(const Value *value, unsigned depth) const {
  auto *instruction = llvm::dyn_cast<Instruction>(value);
  if (!instruction || !loop_.contains(instruction)) return true;
  if (auto *phi = llvm::dyn_cast<PHINode>(instruction)) return is_growing(*phi);
  return depth < 8 && !instruction->mayReadOrWriteMemory() &&
         llvm::isSafeToSpeculativelyExecute(instruction) &&
         llvm::all_of(
             instruction->operands(), [&](const llvm::Use &use) { return can_repeat(use, depth + 1); });
}

bool StrideShape::is_growing(const PHINode &phi) const {
  return llvm::any_of(growing_, [&](const Growing &g) { return g.phi == &phi; });
}
} // namespace kiln::native
