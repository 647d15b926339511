// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Merges equal blocks that throw. A kernel has many: each bounds check of a line reports a BoundsError with
// equal arguments and ends the thread. LLVM merges equal blocks only if they return. Each block costs the
// assembler as much time as a call. In example Adam, with nine checks, these blocks take a third of the
// assembler's time.
#include "passes.h"

#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace kiln::ptx {
namespace {

/// Returns true if the block has a marker for validation. Such blocks stay, since validation reports the
/// place of each marker.
bool has_fault(const llvm::BasicBlock &block) {
  return llvm::any_of(block, [](const llvm::Instruction &instruction) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && call->getCalledFunction() && call->getCalledFunction()->getName() == "kiln.static_error";
  });
}

/// Returns true if the block ends in `unreachable` and may be replaced by an equal block.
bool may_join(const llvm::BasicBlock &block) {
  return llvm::isa<llvm::UnreachableInst>(block.getTerminator()) && !block.isEntryBlock() &&
         !block.hasAddressTaken() && !llvm::isa<llvm::PHINode>(block.front()) && !block.isEHPad() &&
         !has_fault(block);
}

/// Returns true if both blocks have equal instructions with equal operands.
bool are_equal(const llvm::BasicBlock &a, const llvm::BasicBlock &b) {
  llvm::DenseMap<const llvm::Value *, const llvm::Value *> in_b; // from values that `a` defines
  auto x = a.instructionsWithoutDebug().begin(), y = b.instructionsWithoutDebug().begin();
  const auto x_end = a.instructionsWithoutDebug().end(), y_end = b.instructionsWithoutDebug().end();
  for (; x != x_end && y != y_end; ++x, ++y) {
    if (!x->isSameOperationAs(&*y) || x->getNumOperands() != y->getNumOperands()) return false;
    for (unsigned i = 0; i < x->getNumOperands(); i++) {
      const auto own = in_b.find(x->getOperand(i));
      const llvm::Value *wanted = own == in_b.end() ? x->getOperand(i) : own->second;
      if (wanted != y->getOperand(i)) return false;
    }
    in_b[&*x] = &*y;
  }
  return x == x_end && y == y_end;
}

/// Merges the debug locations of two blocks, so that diagnostics and profilers do not attribute the joined
/// block to one place.
void join_locations(llvm::BasicBlock &kept, llvm::BasicBlock &other) {
  auto y = other.instructionsWithoutDebug().begin();
  for (llvm::Instruction &x : kept.instructionsWithoutDebug())
    x.applyMergedLocation(x.getDebugLoc(), (y++)->getDebugLoc());
}

} // namespace

void join_equal_throws(llvm::Module &module) {
  // Maximum number of different blocks per function, since the search is quadratic.
  constexpr size_t max_kinds = 64;
  for (llvm::Function &function : module) {
    std::vector<llvm::BasicBlock *> kinds;
    for (llvm::BasicBlock &block : llvm::make_early_inc_range(function)) {
      if (!may_join(block)) continue;
      const auto equal =
          std::find_if(kinds.begin(), kinds.end(), [&](auto *kept) { return are_equal(*kept, block); });
      if (equal == kinds.end()) {
        if (kinds.size() < max_kinds) kinds.push_back(&block);
        continue;
      }
      join_locations(**equal, block);
      for (llvm::BasicBlock *before : llvm::to_vector(llvm::predecessors(&block)))
        before->getTerminator()->replaceSuccessorWith(&block, *equal);
      llvm::DeleteDeadBlock(&block);
    }
  }
}

} // namespace kiln::ptx
