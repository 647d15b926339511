// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exit_early.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/MemorySSAUpdater.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <optional>

namespace kiln {
namespace {

using llvm::BasicBlock;
using llvm::BranchInst;
/// Block of a loop that tests for the loop's end and jumps back to its header.
class Latch {
public:
  Latch(BasicBlock &block, BranchInst &branch, BasicBlock &exit)
      : block_(block), branch_(branch), exit_(exit) {}

  /// True if a path may skip the latch and leave the loop: the latch has no side effects, and only its phis
  /// are used after the exit.
  bool can_be_bypassed() const {
    for (const llvm::Instruction &instruction : block_)
      if (!llvm::isa<llvm::PHINode>(instruction) && &instruction != &branch_ &&
          (instruction.mayHaveSideEffects() || instruction.mayReadFromMemory()) &&
          !instruction.isDebugOrPseudoInst())
        return false;
    for (const llvm::PHINode &phi : exit_.phis())
      if (const auto *value = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValueForBlock(&block_)))
        if (value->getParent() == &block_ && !llvm::isa<llvm::PHINode>(value)) return false;
    return true;
  }

  /// Block that the latch jumps to if control comes from `from` by `jump`; null: unknown.
  BasicBlock *next_if_from(BasicBlock &from, const BranchInst *jump) const {
    const auto *taken =
        llvm::dyn_cast_or_null<llvm::ConstantInt>(value_if_from(*branch_.getCondition(), from, jump, 4));
    return taken ? branch_.getSuccessor(taken->isZero()) : nullptr;
  }

  /// Value of the exit block's phi if control comes from `from` and skips the latch.
  llvm::Value *bypass_value(const llvm::PHINode &phi, BasicBlock &from) const {
    llvm::Value *value = phi.getIncomingValueForBlock(&block_);
    auto *inner = llvm::dyn_cast<llvm::PHINode>(value);
    return inner && inner->getParent() == &block_ ? inner->getIncomingValueForBlock(&from) : value;
  }

private:
  /// Null: not a constant.
  llvm::Constant *value_if_from(llvm::Value &value, BasicBlock &from, const BranchInst *jump,
                                int depth) const {
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(&value)) return constant;
    if (jump && &value == jump->getCondition())
      return llvm::ConstantInt::getBool(value.getContext(), jump->getSuccessor(0) == &block_);
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || instruction->getParent() != &block_ || depth == 0) return nullptr;
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(instruction))
      return value_if_from(*phi->getIncomingValueForBlock(&from), from, jump, 0);
    if (!llvm::isa<llvm::CmpInst, llvm::BinaryOperator, llvm::CastInst>(instruction)) return nullptr;
    llvm::SmallVector<llvm::Constant *, 2> operands;
    for (llvm::Value *operand : instruction->operands()) {
      operands.push_back(value_if_from(*operand, from, jump, depth - 1));
      if (!operands.back()) return nullptr;
    }
    const llvm::DataLayout &layout = block_.getDataLayout();
    if (auto *compare = llvm::dyn_cast<llvm::CmpInst>(instruction))
      return llvm::ConstantFoldCompareInstOperands(compare->getPredicate(), operands[0], operands[1], layout);
    return llvm::ConstantFoldInstOperands(instruction, operands, layout);
  }

  BasicBlock &block_;
  BranchInst &branch_;
  BasicBlock &exit_;
};

/// Conditional branch of `block` whose targets are the latch and another block of the loop; null: none.
BranchInst *jump_of(BasicBlock &block, const BasicBlock &latch, const llvm::Loop &loop,
                    const llvm::LoopInfo &loops) {
  auto *jump = llvm::dyn_cast<BranchInst>(block.getTerminator());
  if (&block == &latch || loops.getLoopFor(&block) != &loop || // exits of inner loops are not changed
      !jump || !jump->isConditional() || jump->getSuccessor(0) == jump->getSuccessor(1))
    return nullptr;
  return loop.contains(jump->getSuccessor(jump->getSuccessor(0) == &latch)) ? jump : nullptr;
}

/// True if the latch's test is redundant, because the loop continues on every path that still reaches the
/// latch. `tested`: a block that now leaves the loop directly.
bool always_continues(const Latch &latch, BasicBlock &block, const BranchInst &branch,
                      const BasicBlock &tested, const BasicBlock &exit, const llvm::DominatorTree &tree) {
  BasicBlock *only = block.getSinglePredecessor();
  if (BasicBlock *next = only ? latch.next_if_from(*only, nullptr) : nullptr) return next != &exit;
  const auto &jump = llvm::cast<BranchInst>(*tested.getTerminator());
  return jump.getCondition() == branch.getCondition() &&
         tree.dominates(llvm::BasicBlockEdge(&tested, jump.getSuccessor(jump.getSuccessor(0) == &exit)),
                        &block);
}

void apply(llvm::ArrayRef<llvm::DominatorTree::UpdateType> updates,
           llvm::LoopStandardAnalysisResults &results) {
  if (results.MSSA)
    llvm::MemorySSAUpdater(results.MSSA).applyUpdates(updates, results.DT, /*UpdateDTFirst=*/true);
  else
    results.DT.applyUpdates(updates);
}

/// Merges the latch with its only predecessor, so that the phis of that block become phis of the latch.
bool merge_latch_upwards(llvm::Loop &loop, llvm::LoopStandardAnalysisResults &results) {
  BasicBlock *block = loop.getLoopLatch();
  const BasicBlock *before = block ? block->getUniquePredecessor() : nullptr;
  if (!before || block == loop.getHeader() || !before->getUniqueSuccessor()) return false;
  std::optional<llvm::MemorySSAUpdater> memory;
  if (results.MSSA) memory.emplace(results.MSSA);
  return llvm::MergeBlockIntoPredecessor(block, nullptr, &results.LI, memory ? &*memory : nullptr, nullptr,
                                         /*PredecessorWithTwoSuccessors=*/false, &results.DT);
}

/// Redirects each path on which the latch would leave the loop to the loop's exit. Returns true if it changed
/// a path.
bool bypass_latch(llvm::Loop &loop, llvm::LoopStandardAnalysisResults &results) {
  BasicBlock *block = loop.getLoopLatch();
  auto *branch = block ? llvm::dyn_cast<BranchInst>(block->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional() || !loop.isLoopExiting(block) || block == loop.getHeader())
    return false;
  BasicBlock *exit = branch->getSuccessor(branch->getSuccessor(0) == loop.getHeader());
  const Latch latch(*block, *branch, *exit);
  if (!latch.can_be_bypassed()) return false;

  llvm::SmallVector<llvm::DominatorTree::UpdateType, 4> updates;
  llvm::SmallVector<BasicBlock *, 4> predecessors(llvm::predecessors(block));
  for (BasicBlock *from : predecessors) {
    BranchInst *jump = jump_of(*from, *block, loop, results.LI);
    // Keep one path to the latch: without it there is no loop.
    if (!jump || llvm::pred_size(block) == 1 || llvm::is_contained(llvm::successors(from), exit) ||
        latch.next_if_from(*from, jump) != exit)
      continue;
    for (llvm::PHINode &phi : exit->phis()) phi.addIncoming(latch.bypass_value(phi, *from), from);
    block->removePredecessor(from, /*KeepOneInputPHIs=*/true);
    jump->replaceSuccessorWith(block, exit);
    updates.push_back({llvm::DominatorTree::Delete, from, block});
    updates.push_back({llvm::DominatorTree::Insert, from, exit});
  }
  if (updates.empty()) return false;
  apply(updates, results);
  if (always_continues(latch, *block, *branch, *updates.front().getFrom(), *exit, results.DT)) {
    exit->removePredecessor(block, /*KeepOneInputPHIs=*/true);
    BranchInst *again = BranchInst::Create(loop.getHeader(), branch->getIterator());
    again->setDebugLoc(branch->getDebugLoc());
    again->setMetadata(llvm::LLVMContext::MD_loop, branch->getMetadata(llvm::LLVMContext::MD_loop));
    branch->eraseFromParent();
    apply({{llvm::DominatorTree::Delete, block, exit}}, results);
  }
  return true;
}

} // namespace

llvm::PreservedAnalyses ExitEarlyPass::run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                                           llvm::LoopStandardAnalysisResults &results, llvm::LPMUpdater &) {
  bool changed = false;
  // `zip` tests once per iterator.
  while (bypass_latch(loop, results) || merge_latch_upwards(loop, results)) changed = true;
  if (!changed) return llvm::PreservedAnalyses::all();
  results.SE.forgetTopmostLoop(&loop);
  results.SE.forgetBlockAndLoopDispositions();
  llvm::PreservedAnalyses kept = llvm::getLoopPassPreservedAnalyses();
  if (results.MSSA) kept.preserve<llvm::MemorySSAAnalysis>();
  return kept;
}

} // namespace kiln
