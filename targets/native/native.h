// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component native (layer 7): the target for CPUs.
//   native_target  class Target; names of functions in libc and libm that code may call
//   host           the host's CPU and features
//   machine        the architectures: triple and data layout by CPU name
//   aarch64        structures in calls of host functions and the clock, in code for AArch64
//   shared_memory  globals in address space 3 -> the block's memory
//   device_launches        launches by a kernel -> calls of the executor
//   suspend_points waits: barriers and warp operations
//   inlining       inlines functions that throw or wait into a kernel with waits
//   region_kernel  a kernel as loops over threads: one loop, or several between its barriers:
//     inner_loops    all threads run loops of a thread's work together (kernels without waits);
//     stride_loops   loops by strides of the grid, run together as long as all threads have an iteration;
//     stride_shape   recognises such loops
//     across_block   facts about all threads, derived from the first and the last
//     uniformity     values that are equal in all threads
//     regions        parts between barriers
//     region_values  values across regions: hoisted, recomputed, or stored per thread
//     contexts       memory for stored values
//     thread_loop    the loop that runs a region
//     narrowing      skips threads without work in a region
//   barrier        any kernel with waits as a coroutine
//   spin_waits     suspends loops that may wait for another thread's write; spin_suspensions: where
//   instrument     instrumentation of kernels:
//     access_checks  checks of memory accesses
//     cancellation_points      tests of the time limit in loops
//   grid           a kernel as a function that runs the threads of one or several blocks
#pragma once

#include <job/job.h>

namespace kiln {

const Target &native_target();

} // namespace kiln
