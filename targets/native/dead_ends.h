// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dead ends: blocks of a kernel without a path to a return. They throw or are unreachable.
#pragma once

#include "regions.h"

#include <llvm/IR/Function.h>

#include <set>
#include <vector>

namespace kiln::native {

class DeadEnds {
public:
  explicit DeadEnds(llvm::Function &kernel) : kernel_(kernel) {}

  /// Finds the dead ends. Call it first. False: too many copies would be needed; nothing is changed.
  bool find();
  bool contains(const llvm::BasicBlock &block) const { return found_.count(&block) != 0; }
  /// Gives each way out of a region its own dead ends, and erases the originals. Returns the copies per
  /// region of the plan.
  std::vector<std::vector<llvm::BasicBlock *>> copy_for(const RegionPlan &plan);

private:
  llvm::BasicBlock *copy(llvm::BasicBlock *first, llvm::BasicBlock *from,
                         std::vector<llvm::BasicBlock *> &made);

  llvm::Function &kernel_;
  std::set<const llvm::BasicBlock *> found_; ///< never iterated
  std::vector<llvm::BasicBlock *> order_;
};

} // namespace kiln::native
