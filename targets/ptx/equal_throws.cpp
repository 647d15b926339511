// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel throws in many places what comes to the same code: each bounds check of a line reports a
// BoundsError there and ends the thread, with equal arguments. LLVM joins such blocks only where they return.
// Each costs the assembler a call's worth of time: of Adam's nine checks a third of it.
#include "passes.h"

#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace kiln::ptx {
namespace {

/// Validation tells the place of each.
bool has_fault(const llvm::BasicBlock &block) {
  return llvm::any_of(block, [](const llvm::Instruction &instruction) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && call->getCalledFunction() && call->getCalledFunction()->getName() == "kiln.static_error";
  });
}

/// Ends in a place that is never reached, and begins as any block may.
bool may_join(const llvm::BasicBlock &block) {
  return llvm::isa<llvm::UnreachableInst>(block.getTerminator()) && !block.isEntryBlock() &&
         !block.hasAddressTaken() && !llvm::isa<llvm::PHINode>(block.front()) && !block.isEHPad() &&
         !has_fault(block);
}

/// The same instructions on the same values.
bool are_equal(const llvm::BasicBlock &a, const llvm::BasicBlock &b) {
  llvm::DenseMap<const llvm::Value *, const llvm::Value *> in_b; // what a defines
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

/// What a diagnostic or a profiler is told of the joined block belongs to none of the places alone.
void join_locations(llvm::BasicBlock &kept, llvm::BasicBlock &other) {
  auto y = other.instructionsWithoutDebug().begin();
  for (llvm::Instruction &x : kept.instructionsWithoutDebug())
    x.applyMergedLocation(x.getDebugLoc(), (y++)->getDebugLoc());
}

} // namespace

void join_equal_throws(llvm::Module &module) {
  constexpr size_t most_kinds = 64; // of one function: more would make this quadratic
  for (llvm::Function &function : module) {
    std::vector<llvm::BasicBlock *> kinds;
    for (llvm::BasicBlock &block : llvm::make_early_inc_range(function)) {
      if (!may_join(block)) continue;
      const auto equal =
          std::find_if(kinds.begin(), kinds.end(), [&](auto *kept) { return are_equal(*kept, block); });
      if (equal == kinds.end()) {
        if (kinds.size() < most_kinds) kinds.push_back(&block);
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
