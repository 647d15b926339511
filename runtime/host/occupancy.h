// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes occupancy: the number of blocks of a kernel that a multiprocessor holds at once. Component
// architectures has the limits and their sources.
#pragma once

#include <kiln/job.h>

#include <string_view>

namespace kiln {

struct Occupancy {
  uint32_t blocks = 0;    ///< resident blocks per multiprocessor; 0: a block does not fit
  uint32_t warps = 0;     ///< in these blocks
  uint32_t max_warps = 0; ///< per multiprocessor
  std::string_view limit; ///< limiting resource: "registers", "shared memory", "warps" or "blocks"
};

/// `sm`: compute capability, as 90. `threads`: threads per block, at most 1024. `dynamic_shared`: bytes per
/// block.
Occupancy occupancy(int sm, const KernelResources &kernel, uint32_t threads, uint64_t dynamic_shared = 0);

} // namespace kiln
