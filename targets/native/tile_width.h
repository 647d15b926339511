// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops for a known block width. A block is usually as wide as its tile in shared memory. For a constant
// number of threads in a row, LLVM emits straight vector code and keeps tile elements shared by the rows in
// registers. The width is known only at launch, so that such a region has two loops:
//
//   if (width == 16) for each row, for x in 0:15 ... else for each row, for x in 0:width-1 ...
#pragma once

#include "region_values.h"

namespace kiln::native {

/// Constant factor of y in addresses, in a region with a loop in a thread's work. Call it before regions are
/// connected to their loops. 0: no factor, or not plausible as a row of threads.
uint32_t tile_width(const std::vector<LoopedRegion> &regions);

/// True if all threads of the block run the region to its end, and it is small enough.
bool can_have_width(const LoopedRegion &region);

/// Adds a loop for blocks of this width to a connected region. Requires can_have_width().
void add_loop_for_width(LoopedRegion &region, uint32_t width);

} // namespace kiln::native
