// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component devices (layer 6): the CPU and GPUs behind the handles of kiln/device.h and kiln/stream.h, and
// launches on them. It needs no compiler: a session hands it code that was compiled, a bundle code from a
// file (CodeSource). Public: kiln/device.h, kiln/stream.h, kiln/argument.h, kiln/runtime.h.
//   device_backend  what a device does; its implementations: cpu_backend, cuda_backend with cuda_stream
//   device_set      the devices of a session or a Runtime
//   device, stream  the handles in front of the backends
//   launching       a launch that waits
//   loaded          functions and kernels that are loaded
//   argument, foreign  values and arrays of other libraries as arguments
//   device_memory   which memory the arguments of a launch give to a kernel
//   runtime         what running needs, which outlives the session as long as a handle does
//   kernel_stats    what the timing report tells of kernels
//   outcome         what went wrong in a kernel, as errors
#pragma once

#include "cpu_backend.h"
#include "device.h"
#include "device_memory.h"
#include "device_set.h"
#include "launching.h"
#include "outcome.h"
