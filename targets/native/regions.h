// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts a kernel into regions: parts that each thread of the block can run from start to end while the others
// wait. Regions start at the kernel's entry, after barriers, after branches that decide whether a barrier is
// reached, and where regions meet. All threads leave a region by the same edge, so that one loop over the
// threads can run it.
#pragma once

#include "uniformity.h"

#include <llvm/IR/BasicBlock.h>

#include <map>
#include <optional>
#include <vector>

namespace kiln::native {

struct Region {
  /// Blocks with a path to a return; only the first has predecessors in other regions.
  std::vector<llvm::BasicBlock *> blocks;
  // End of the region: one of the next two members is set; neither if the kernel returns.
  llvm::BasicBlock *decides = nullptr; ///< block of the region whose branch all threads take together
  llvm::BasicBlock *next = nullptr;    ///< first block of the next region
  llvm::BasicBlock *entry() const { return blocks.front(); }
};

struct RegionPlan {
  std::vector<Region> regions;                            ///< regions, in reverse post-order of their entries
  std::map<const llvm::BasicBlock *, unsigned> region_of; ///< never iterated
};

/// `barriers`: blocks that end in a barrier. `together`: other blocks that all threads must reach together.
/// No value: it is not provable that all threads reach one of these blocks together.
std::optional<RegionPlan> plan_regions(llvm::Function &kernel, const Uniformity &uniformity,
                                       const std::vector<llvm::BasicBlock *> &barriers,
                                       const std::vector<llvm::BasicBlock *> &together);

/// Makes a plan with the whole kernel as one region. `live`: blocks with a path to a return, from
/// waits::returning_blocks().
RegionPlan one_region(llvm::Function &kernel, const std::set<const llvm::BasicBlock *> &live);

} // namespace kiln::native
