// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "implied.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace kiln {
namespace {

/// A conditional branch that compares a value with a constant.
struct Comparison {
  llvm::BranchInst *branch;
  llvm::Value *value;
  llvm::ConstantRange holds; // all values for which the comparison is true
};

std::optional<Comparison> comparison_of(llvm::BasicBlock &block) {
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  auto *compare =
      branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  if (!compare) return std::nullopt;
  if (auto *right = llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1));
      right && !llvm::isa<llvm::Constant>(compare->getOperand(0)))
    return Comparison{branch, compare->getOperand(0),
                      llvm::ConstantRange::makeExactICmpRegion(compare->getPredicate(), right->getValue())};
  if (auto *left = llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(0));
      left && !llvm::isa<llvm::Constant>(compare->getOperand(1)))
    return Comparison{
        branch, compare->getOperand(1),
        llvm::ConstantRange::makeExactICmpRegion(compare->getSwappedPredicate(), left->getValue())};
  return std::nullopt;
}

class Walk {
public:
  explicit Walk(llvm::DominatorTree &tree) : tree_(tree) {}

  bool run() {
    std::vector<Entered> path; // no recursion, since the dominator tree is as deep as the function is long
    path.push_back(enter(tree_.getRootNode()));
    while (!path.empty()) {
      Entered &top = path.back();
      if (top.next != top.node->end()) {
        llvm::DomTreeNode *child = *top.next++;
        path.push_back(enter(child));
        continue;
      }
      for (; top.undo; --top.undo) {
        auto &[value, range] = undo_.back();
        if (range)
          known_.insert_or_assign(value, std::move(*range));
        else
          known_.erase(value);
        undo_.pop_back();
      }
      path.pop_back();
    }
    return changed_;
  }

private:
  struct Entered {
    llvm::DomTreeNode *node;
    llvm::DomTreeNode::iterator next;
    unsigned undo; // number of entries of undo_ to revert when the node is left
  };

  Entered enter(llvm::DomTreeNode *node) {
    llvm::BasicBlock &block = *node->getBlock();
    Entered entered{node, node->begin(), 0};
    if (llvm::BasicBlock *above = block.getSinglePredecessor())
      if (auto compared = comparison_of(*above);
          compared && compared->branch->getSuccessor(0) != compared->branch->getSuccessor(1)) {
        learn(compared->value,
              compared->branch->getSuccessor(0) == &block ? compared->holds : compared->holds.inverse());
        entered.undo = 1;
      }
    if (auto compared = comparison_of(block))
      if (auto found = known_.find(compared->value);
          // An empty range means that the block is dead.
          found != known_.end() && !found->second.isEmptySet()) {
        if (compared->holds.contains(found->second))
          decide(*compared->branch, true);
        else if (compared->holds.inverse().contains(found->second))
          decide(*compared->branch, false);
      }
    return entered;
  }

  void learn(llvm::Value *value, const llvm::ConstantRange &range) {
    auto found = known_.find(value);
    if (found == known_.end()) {
      undo_.emplace_back(value, std::nullopt);
      known_.insert_or_assign(value, range);
    } else {
      undo_.emplace_back(value, found->second);
      found->second = found->second.intersectWith(range);
    }
  }

  void decide(llvm::BranchInst &branch, bool value) {
    branch.setCondition(llvm::ConstantInt::getBool(branch.getContext(), value));
    changed_ = true;
  }

  llvm::DominatorTree &tree_;
  // Ranges of values in the current block; searched only, never iterated.
  llvm::DenseMap<llvm::Value *, llvm::ConstantRange> known_;
  std::vector<std::pair<llvm::Value *, std::optional<llvm::ConstantRange>>> undo_;
  bool changed_ = false;
};

} // namespace

llvm::PreservedAnalyses FoldImpliedConditionsPass::run(llvm::Function &function,
                                                       llvm::FunctionAnalysisManager &analyses) {
  if (!Walk(analyses.getResult<llvm::DominatorTreeAnalysis>(function)).run())
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>(); // SimplifyCFG removes the dead edges
  return preserved;
}

} // namespace kiln
