// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "merge_blocks.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace kiln {
namespace {

constexpr size_t max_blocks = 256;

/// Returns the successor of a block that only jumps, or the block itself if it only returns. Null: the block
/// does more.
llvm::BasicBlock *leads_to(llvm::BasicBlock &block) {
  llvm::Instruction *first = &block.front(); // exists, since a block has a terminator
  if (!first->isTerminator() || block.hasAddressTaken()) return nullptr;
  if (auto *done = llvm::dyn_cast<llvm::ReturnInst>(first)) return done->getReturnValue() ? nullptr : &block;
  auto *jump = llvm::dyn_cast<llvm::BranchInst>(first);
  if (!jump || jump->isConditional()) return nullptr;
  llvm::BasicBlock *next = jump->getSuccessor(0);
  return next == &block || llvm::isa<llvm::PHINode>(next->front()) ? nullptr : next;
}

bool merge(llvm::ArrayRef<llvm::BasicBlock *> blocks, llvm::BasicBlock &into) {
  if (blocks.size() <= max_blocks) return false;
  for (llvm::BasicBlock *block : blocks) {
    if (block == &into) continue;
    block->replaceAllUsesWith(&into);
    block->eraseFromParent();
  }
  return true;
}

} // namespace

llvm::PreservedAnalyses MergeBlocksPass::run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
  if (function.size() <= max_blocks) return llvm::PreservedAnalyses::all();
  llvm::SmallVector<llvm::BasicBlock *> returns;
  llvm::MapVector<llvm::BasicBlock *, llvm::SmallVector<llvm::BasicBlock *>> jumps;
  for (llvm::BasicBlock &block : function) {
    if (block.isEntryBlock()) continue;
    if (llvm::BasicBlock *next = leads_to(block)) {
      if (next == &block)
        returns.push_back(&block);
      else
        jumps[next].push_back(&block);
    }
  }
  bool changed = false;
  for (auto &[next, blocks] : jumps)
    if (llvm::BasicBlock *further = leads_to(*next); !further || further == next) // else `next` is removed
      changed |= merge(blocks, *next);
  if (!returns.empty()) changed |= merge(returns, *returns.front());
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace kiln
