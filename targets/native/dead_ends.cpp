// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dead_ends.h"

#include <waits/waits.h>

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace kiln::native {

using llvm::BasicBlock;
using llvm::Instruction;

namespace {

/// Maximum number of block copies. Each branch to a dead end gets a copy of its own.
constexpr size_t max_copies = 4096;

std::vector<BasicBlock *> reachable_from(BasicBlock *block) {
  std::vector<BasicBlock *> found{block};
  for (size_t i = 0; i < found.size(); ++i) // `found` grows
    for (BasicBlock *next : llvm::successors(found[i]))
      if (!llvm::is_contained(found, next)) found.push_back(next);
  return found;
}

} // namespace

bool DeadEnds::find() {
  const std::set<const BasicBlock *> live = waits::returning_blocks(kernel_);
  for (BasicBlock &block : kernel_)
    if (!live.count(&block)) found_.insert(&block), order_.push_back(&block);
  size_t copies = 0;
  for (BasicBlock &block : kernel_)
    if (!found_.count(&block))
      for (BasicBlock *next : llvm::successors(&block))
        copies += found_.count(next) ? reachable_from(next).size() : 0;
  return copies <= max_copies;
}

std::vector<std::vector<BasicBlock *>> DeadEnds::copy_for(const RegionPlan &plan) {
  std::vector<std::vector<BasicBlock *>> made(plan.regions.size());
  for (unsigned i = 0; i < plan.regions.size(); ++i)
    for (BasicBlock *block : plan.regions[i].blocks) {
      Instruction *end = block->getTerminator();
      for (unsigned k = 0; k < end->getNumSuccessors(); ++k)
        if (BasicBlock *next = end->getSuccessor(k); found_.count(next))
          end->setSuccessor(k, copy(next, block, made[i]));
    }
  for (BasicBlock *block : order_) block->dropAllReferences();
  for (BasicBlock *block : order_) block->eraseFromParent();
  return made;
}

BasicBlock *DeadEnds::copy(BasicBlock *first, BasicBlock *from, std::vector<BasicBlock *> &made) {
  llvm::ValueToValueMapTy map;
  llvm::SmallVector<BasicBlock *, 8> copies;
  const std::vector<BasicBlock *> blocks = reachable_from(first);
  for (BasicBlock *block : blocks) {
    copies.push_back(llvm::CloneBasicBlock(block, map, ".dead", &kernel_));
    map[block] = copies.back();
    // Remove incoming edges of other branches: they lead to copies of their own.
    for (llvm::PHINode &phi : copies.back()->phis())
      phi.removeIncomingValueIf(
          [&](unsigned i) {
            BasicBlock *before = phi.getIncomingBlock(i);
            return !(block == first && before == from) && !llvm::is_contained(blocks, before);
          },
          /*DeletePHIIfEmpty=*/false);
  }
  llvm::remapInstructionsInBlocks(copies, map);
  made.insert(made.end(), copies.begin(), copies.end());
  return copies.front();
}

} // namespace kiln::native
