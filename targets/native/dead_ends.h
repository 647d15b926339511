// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of a kernel from which no path returns: what stands there throws, or is impossible.
#pragma once

#include "regions.h"

#include <llvm/IR/Function.h>

#include <set>
#include <vector>

namespace kiln::native {

class DeadEnds {
public:
  explicit DeadEnds(llvm::Function &kernel) : kernel_(kernel) {}

  /// Call it first. False where the copies would be too many; changes nothing.
  bool find();
  bool contains(const llvm::BasicBlock &block) const { return found_.count(&block) != 0; }
  /// Gives each way out of a region dead ends of its own, and erases the originals. The copies of each region
  /// of the plan.
  std::vector<std::vector<llvm::BasicBlock *>> copy_for(const RegionPlan &plan);

private:
  llvm::BasicBlock *copy(llvm::BasicBlock *first, llvm::BasicBlock *from,
                         std::vector<llvm::BasicBlock *> &made);

  llvm::Function &kernel_;
  std::set<const llvm::BasicBlock *> found_; ///< membership only
  std::vector<llvm::BasicBlock *> order_;
};

} // namespace kiln::native
