// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dead ends: blocks of a kernel without a path to a return, since they throw or are unreachable.
#pragma once

#include "regions.h"

#include <llvm/IR/Function.h>

#include <set>
#include <vector>

namespace kiln::native {

class DeadEnds {
public:
  explicit DeadEnds(llvm::Function &kernel) : kernel_(kernel) {}

  /// Finds the dead ends. Call it first. Returns false, and changes nothing, if too many copies would be
  /// needed.
  bool find();
  bool contains(const llvm::BasicBlock &block) const { return found_.count(&block) != 0; }
  /// Gives each branch from a region to a dead end a copy of that dead end, and erases the originals. Returns
  /// the copies by region of the plan.
  std::vector<std::vector<llvm::BasicBlock *>> copy_for(const RegionPlan &plan);

private:
  llvm::BasicBlock *copy(llvm::BasicBlock *first, llvm::BasicBlock *from,
                         std::vector<llvm::BasicBlock *> &made);

  llvm::Function &kernel_;
  std::set<const llvm::BasicBlock *> found_; ///< never iterated
  std::vector<llvm::BasicBlock *> order_;
};

} // namespace kiln::native
