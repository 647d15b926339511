// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component devices (layer 6): the CPU and GPUs behind the handles of kiln/device.h and kiln/stream.h, and
// launches on them. The component needs no compiler: a session or a bundle supplies the code (CodeSource).
// Public: kiln/device.h, kiln/stream.h, kiln/argument.h, kiln/runtime.h.
//   device_backend  device interface; implementations: cpu_backend, cuda_backend with cuda_stream,
//                   opencl_backend with opencl_queue
//   device_set      devices of a session or a Runtime
//   device, stream  public handles in front of the backends
//   launching       a launch, and a wait for its end
//   loaded          loaded functions and kernels
//   argument, foreign  values and arrays of other libraries as arguments
//   device_memory   memory that the arguments of a launch pass to a kernel
//   runtime         state for running code, shared by the session and its handles
//   kernel_stats    kernel statistics of the timing report
//   outcome         errors of kernels
#pragma once

#include "cpu_backend.h"
#include "device.h"
#include "device_memory.h"
#include "device_set.h"
#include "launching.h"
#include "outcome.h"
