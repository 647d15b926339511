// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts a kernel into regions: parts that each thread of the block can run from start to end while the others
// wait. Regions start at the kernel's entry, after barriers, after branches that decide over barriers, and
// where regions meet. All threads leave a region by the same edge, so that one loop over the threads can run
// it.
#pragma once

#include "uniformity.h"

#include <llvm/IR/BasicBlock.h>

#include <map>
#include <optional>
#include <vector>

namespace kiln::native {

struct Region {
  std::vector<llvm::BasicBlock *> blocks; ///< live blocks; only the first has predecessors outside
  // End of the region: one of these, or none if the kernel returns.
  llvm::BasicBlock *decides = nullptr; ///< block whose terminator all threads take together
  llvm::BasicBlock *next = nullptr;    ///< first block of the next region
  llvm::BasicBlock *entry() const { return blocks.front(); }
};

struct RegionPlan {
  std::vector<Region> regions;                            ///< in reverse post-order of their entries
  std::map<const llvm::BasicBlock *, unsigned> region_of; ///< never iterated
};

/// `barriers`: blocks that end in a barrier. `together`: further blocks that threads should reach together.
/// None: one of these is not provably reached by all threads together.
std::optional<RegionPlan> plan_regions(llvm::Function &kernel, const Uniformity &uniformity,
                                       const std::vector<llvm::BasicBlock *> &barriers,
                                       const std::vector<llvm::BasicBlock *> &together);

/// The whole kernel as one region. `live`: its returning_blocks().
RegionPlan one_region(llvm::Function &kernel, const std::set<const llvm::BasicBlock *> &live);

} // namespace kiln::native
