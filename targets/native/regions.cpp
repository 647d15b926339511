// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>

#include <set>

namespace kiln::native {
namespace {

using llvm::BasicBlock;
using ConstBlocks = std::set<const BasicBlock *>; // never iterated

class Planner {
public:
  Planner(llvm::Function &kernel, const Uniformity &uniformity, const std::vector<BasicBlock *> &barriers,
          const std::vector<BasicBlock *> &together)
      : uniformity_(uniformity), barriers_(barriers.begin(), barriers.end()), together_(together) {
    llvm::ReversePostOrderTraversal<llvm::Function *> order(&kernel);
    for (BasicBlock *block : order)
      if (uniformity.lives(block)) order_.push_back(block);
  }

  std::optional<RegionPlan> plan() {
    for (BasicBlock *block : barriers_in_order()) together_.push_back(block);
    // All threads must reach the start of a region together. This may require further cuts at branches that
    // decide whether a region is reached.
    for (size_t at = 0, entries = SIZE_MAX; entries != entries_.size();) {
      entries = entries_.size();
      for (; at < together_.size(); ++at) // `together_` grows
        for (BasicBlock *decider : uniformity_.deciders(together_[at])) {
          if (!uniformity_.ends_uniformly(decider) || !can_decide(*decider)) return std::nullopt;
          if (deciders_.insert(decider).second) together_.push_back(decider);
        }
      find_owners();
    }
    return regions();
  }

private:
  std::vector<BasicBlock *> barriers_in_order() const {
    std::vector<BasicBlock *> found;
    for (BasicBlock *block : order_)
      if (barriers_.count(block)) found.push_back(block);
    return found;
  }

  /// True if the block's branch can move outside of the loops over threads: each successor has a path to a
  /// return, or is unreachable.
  bool can_decide(const BasicBlock &block) const {
    return llvm::isa<llvm::BranchInst, llvm::SwitchInst>(block.getTerminator()) &&
           llvm::all_of(llvm::successors(&block), [&](const BasicBlock *next) {
             return uniformity_.lives(next) || llvm::isa<llvm::UnreachableInst>(next->front());
           });
  }

  bool begins(BasicBlock *block) {
    if (entries_.count(block)) return true;
    if (block == order_.front()) return true;
    for (BasicBlock *before : llvm::predecessors(block))
      if (barriers_.count(before) || deciders_.count(before)) return true;
    return false;
  }

  /// Finds the region of each block, named by its entry. A block that two regions reach becomes an entry
  /// itself.
  void find_owners() {
    for (bool changed = true; changed;) {
      changed = false;
      owners_.clear();
      for (BasicBlock *block : order_) {
        if (begins(block)) {
          add_entry(block);
          owners_[block] = block;
          continue;
        }
        // In reverse post-order, one predecessor has a region already. Back edges are checked below.
        for (BasicBlock *before : llvm::predecessors(block))
          if (auto found = owners_.find(before); found != owners_.end()) owners_[block] = found->second;
      }
      for (BasicBlock *block : order_)
        for (BasicBlock *before : llvm::predecessors(block))
          if (auto found = owners_.find(before);
              found != owners_.end() && owners_[block] != block && found->second != owners_[block])
            changed |= add_entry(block);
    }
  }
  bool add_entry(BasicBlock *block) {
    if (!entries_.insert(block).second) return false;
    together_.push_back(block);
    return true;
  }

  std::optional<RegionPlan> regions() {
    RegionPlan plan;
    for (BasicBlock *block : order_) {
      if (owners_[block] == block) plan.regions.emplace_back();
      const unsigned at =
          owners_[block] == block ? unsigned(plan.regions.size() - 1) : plan.region_of.at(owners_[block]);
      plan.region_of[block] = at;
      plan.regions[at].blocks.push_back(block);
    }
    for (Region &region : plan.regions)
      if (!find_end(region)) return std::nullopt;
    return plan;
  }

  /// Finds how the region ends. All threads must leave it by the same edge; the choice of entries should
  /// guarantee this.
  bool find_end(Region &region) const {
    bool returns = false;
    unsigned ends = 0;
    for (BasicBlock *block : region.blocks) {
      if (deciders_.count(block)) {
        region.decides = block;
        ++ends;
        continue;
      }
      if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) returns = true;
      for (BasicBlock *next : llvm::successors(block))
        if (entries_.count(next) && region.next != next) {
          region.next = next;
          ++ends;
        }
    }
    return ends + (returns ? 1 : 0) == 1;
  }

  const Uniformity &uniformity_;
  const ConstBlocks barriers_;
  std::vector<BasicBlock *> order_;    ///< live blocks, in reverse post-order
  std::vector<BasicBlock *> together_; ///< blocks that all threads must reach together
  /// Blocks whose branch all threads take together; these branches move outside of the loops over threads.
  ConstBlocks deciders_;
  ConstBlocks entries_;
  std::map<const BasicBlock *, BasicBlock *> owners_; ///< never iterated
};

} // namespace

std::optional<RegionPlan> plan_regions(llvm::Function &kernel, const Uniformity &uniformity,
                                       const std::vector<BasicBlock *> &barriers,
                                       const std::vector<BasicBlock *> &together) {
  for (BasicBlock *block : barriers)
    if (!uniformity.lives(block)) return std::nullopt;
  if (!uniformity.lives(&kernel.getEntryBlock())) return std::nullopt;
  return Planner(kernel, uniformity, barriers, together).plan();
}

RegionPlan one_region(llvm::Function &kernel, const std::set<const BasicBlock *> &live) {
  RegionPlan plan;
  plan.regions.emplace_back();
  llvm::ReversePostOrderTraversal<llvm::Function *> order(&kernel);
  for (BasicBlock *block : order)
    if (live.count(block)) {
      plan.region_of[block] = 0;
      plan.regions.front().blocks.push_back(block);
    }
  return plan;
}

} // namespace kiln::native
