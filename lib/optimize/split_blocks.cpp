// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "split_blocks.h"

#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Function.h>

#include <vector>

namespace kiln {
namespace {

constexpr unsigned longest = 2000;

/// Returns the instructions at which a long block is to be split.
std::vector<llvm::Instruction *> cuts_of(llvm::BasicBlock &block) {
  std::vector<llvm::Instruction *> cuts;
  if (block.size() <= longest) return cuts;
  unsigned length = 0;
  for (llvm::Instruction &instruction : block)
    if (++length > longest && !instruction.isTerminator() &&
        !llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction)) {
      cuts.push_back(&instruction);
      length = 1;
    }
  return cuts;
}

} // namespace

llvm::PreservedAnalyses SplitBlocksPass::run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
  std::vector<llvm::BasicBlock *> blocks;
  for (llvm::BasicBlock &block : function) blocks.push_back(&block);
  bool changed = false;
  for (llvm::BasicBlock *block : blocks) {
    std::vector<llvm::Instruction *> cuts = cuts_of(*block);
    // Split from the end, so that each instruction moves only once.
    for (auto cut = cuts.rbegin(); cut != cuts.rend(); ++cut) block->splitBasicBlock((*cut)->getIterator());
    changed |= !cuts.empty();
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace kiln
