// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many blocks of a kernel a multiprocessor holds at once. Limits and their sources: component
// architectures.
#pragma once

#include <kiln/job.h>

#include <string_view>

namespace kiln {

struct Occupancy {
  uint32_t blocks = 0;    ///< resident on a multiprocessor; 0: the block does not fit
  uint32_t warps = 0;     ///< of these blocks
  uint32_t max_warps = 0; ///< that a multiprocessor holds
  std::string_view limit; ///< what holds it there: "registers", "shared memory", "warps" or "blocks"
};

/// `threads` of a block, up to 1024; `dynamic_shared` in bytes.
Occupancy occupancy(int sm, const KernelResources &kernel, uint32_t threads, uint64_t dynamic_shared = 0);

} // namespace kiln
