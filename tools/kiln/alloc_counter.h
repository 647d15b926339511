// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the program's allocations for the timing table. The library never counts them.
#pragma once

#include <kiln/timing.h>

namespace kiln::tool {

/// Counts the calling thread's operator new allocations since the thread started. Null in builds with
/// sanitizers, which replace the allocator.
AllocationCounter allocation_counter();

} // namespace kiln::tool
