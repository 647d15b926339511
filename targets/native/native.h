// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component native (layer 7): the host's processor.
//   native_target  the Target; which functions of libc and libm may stay undefined
//   host           the host's CPU and features
//   shared_memory  globals in address space 3 -> the block's memory
//   device_launches        launches by a kernel -> calls of the executor
//   suspend_points where threads wait: barriers and warp operations
//   inlining       what throws or waits into a kernel whose threads wait
//   region_kernel  a kernel as loops over threads: one, or between its barriers if all pass them together:
//     inner_loops    loops of a thread's work as ones that all threads run together (kernels that do not
//     wait); stride_loops   loops by
//     strides of the grid likewise, as long as all threads have a turn; stride_shape: what they look like,
//     across_block   what holds for all threads of a block, from the first and the last
//     uniformity     what is the same for all threads
//     regions        the parts between barriers
//     region_values  what becomes of a value: computed once, in each region, or kept for each thread
//     contexts       the memory for the latter
//     thread_loop    the loop that runs a region
//     narrowing      only the threads that have work in it
//   barrier        any such kernel as a coroutine
//   spin_waits     loops that may wait for another thread's write; spin_suspensions: where they suspend
//     exit_slice     the instructions on which the end of a loop depends
//     memory_effects memory effects of functions that other threads can observe
//   instrument     what kernels get only when it is asked for:
//     access_checks  checks of their accesses
//     cancellation_points      loops that look whether their time is over
//   grid           a kernel as a function that runs the threads of a block, or of several
#pragma once

#include <job/job.h>

namespace kiln {

const Target &native_target();

} // namespace kiln
