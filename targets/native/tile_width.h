// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block is mostly as wide as the tile in shared memory that it works on. Where a region's loop over the
// threads of a row has a known number of threads, LLVM makes straight vector code of it, and what the rows
// have in common (the elements of the tile) stays in registers from one row to the next. The width is known
// at a launch only, so such a region has its loop twice:
//
//   if (width == 16) for each row, for x in 0:15 ... else for each row, for x in 0:width-1 ...
#pragma once

#include "region_values.h"

namespace kiln::native {

/// By what constant addresses grow with y in a region with a loop within a thread's work, before the regions
/// are connected to their loops. 0: by none that is a row of threads.
uint32_t tile_width(const std::vector<LoopedRegion> &regions);

/// Whether all threads of the block run it to its end, and it is not large.
bool can_have_width(const LoopedRegion &region);

/// Gives a region that can, connected to its loop, another loop for blocks of that width.
void add_loop_for_width(LoopedRegion &region, uint32_t width);

} // namespace kiln::native
