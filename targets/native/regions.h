// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts a kernel into regions: parts that each thread of the block can run from beginning to end while the
// others wait. Regions begin where the kernel does, behind barriers, behind the branches that decide over
// barriers, and where regions meet. All threads leave a region by the same way, so one loop over the threads
// can run it.
#pragma once

#include "uniformity.h"

#include <llvm/IR/BasicBlock.h>

#include <map>
#include <optional>
#include <vector>

namespace kiln::native {

struct Region {
  std::vector<llvm::BasicBlock *>
      blocks; ///< of the paths that return; the first is the only one that others lead to
  // How it ends: at most one of these, none where the kernel returns.
  llvm::BasicBlock *decides = nullptr; ///< its block whose last branch all threads take together
  llvm::BasicBlock *next = nullptr;    ///< first block of the region behind it
  llvm::BasicBlock *entry() const { return blocks.front(); }
};

struct RegionPlan {
  std::vector<Region> regions;                            ///< in reverse post-order of their entries
  std::map<const llvm::BasicBlock *, unsigned> region_of; ///< look-up only
};

/// `barriers` are the blocks behind which threads wait; `together` further ones that threads should come to
/// together. None where one of these is not provably reached by all threads together.
std::optional<RegionPlan> plan_regions(llvm::Function &kernel, const Uniformity &uniformity,
                                       const std::vector<llvm::BasicBlock *> &barriers,
                                       const std::vector<llvm::BasicBlock *> &together);

/// The whole kernel as one region; `live` are its returning_blocks.
RegionPlan one_region(llvm::Function &kernel, const std::set<const llvm::BasicBlock *> &live);

} // namespace kiln::native
