// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the program's allocations for the timing table. The library never counts them.
#pragma once

#include <kiln/timing.h>

namespace kiln::tool {

/// Returns a function that reads the calling thread's number and bytes of operator new allocations since the
/// thread's start. Null in builds with sanitizers, which replace the allocator.
AllocationCounter allocation_counter();

} // namespace kiln::tool
