// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Room native (layer 7): the host's processor.
//   native_target  the Target; which functions of libc and libm may stay undefined
//   host           the host's CPU and features
//   shared_memory  globals in address space 3 -> the block's memory
//   waits          where threads wait: barriers and warp operations
//   barrier        kernels whose threads wait as coroutines
//   grid           a kernel as a function that runs a range of a block's threads
#pragma once

#include <job/job.h>

namespace kiln {

const Target &native_target();

} // namespace kiln
