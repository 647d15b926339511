// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes loops for one known block width. A block is usually as wide as its tile in shared memory. For a
// constant number of threads in a row, LLVM emits straight vector code and keeps tile elements shared by the
// rows in registers. The width is known only at launch, so that such a region has two loops:
//
//   if (width == 16) for each row, for x in 0:15 ... else for each row, for x in 0:width-1 ...
#pragma once

#include "region_values.h"

namespace kiln::native {

/// Finds the width of tiles: the constant factor of y in addresses, in a region with a loop in a thread's
/// work. Returns 0 if there is no factor, or no plausible one. Call it before regions are connected to their
/// loops.
uint32_t tile_width(const std::vector<LoopedRegion> &regions);

/// True if all threads of the block run the region to its end, and the region is small enough to be compiled
/// twice.
bool can_have_width(const LoopedRegion &region);

/// Adds a second loop, for blocks with this number of threads in x, to a connected region. Requires
/// can_have_width().
void add_loop_for_width(LoopedRegion &region, uint32_t width);

} // namespace kiln::native
