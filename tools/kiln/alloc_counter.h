// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program counts its own allocations for the timing table; the library never does.
#pragma once

#include <kiln/timing.h>

namespace kiln::tool {

/// Counts what the calling thread allocated with operator new since it started; null in builds with
/// sanitizers, which have their own allocator.
AllocationCounter allocation_counter();

} // namespace kiln::tool
