// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component host (layer 5): runs compiled code on the CPU and on GPUs. Does not use LLVM.
//   host_code      machine code in this process; host_symbols: functions that it may call
//   new_code       makes written code executable for all threads
//   tiered_code    code of the first tier, replaced when its kernel is hot
//   host_functions functions of the embedder; c_entry: function pointers for C
//   host_arrays    arrays made by compiled code of a program
//   visible_code   native code for gdb and perf (perf_dump)
//   executor       runs a grid of blocks; exceptions of threads
//   work_threads   threads of the executor: oneTBB, the embedder's, or thread_pool in a forked child
//   launch_limits  limits of a launch on a device; executor_limits: on the CPU
//   block          one block: barriers, warp operations
//   tensor_memory  tensor memory of a block, as on sm_100
//   checker        memory checks of checked kernels
//   watchdog       time limits of launches
//   interruption   ends compiled code from outside
//   host_stream    launch queues and events
//   cuda_driver    NVIDIA's driver, opened at run time (its functions: cuda_functions.def)
//   cuda_device    one GPU in a context: properties; cuda_memory: its allocator
//   cuda_module    loaded cubins and PTX, and their kernels
//   cuda_link      the driver as assembler and linker
//   cuda_stream    queues of launches and copies; cuda_event: events, exceptions, graphs
//   nvtx           ranges for NVIDIA's tools
//   occupancy      blocks that a multiprocessor can hold
//   npy            NumPy files
#pragma once

#include "bfloat.h"
#include "c_entry.h"
#include "cuda_link.h"
#include "cuda_stream.h"
#include "entry_name.h"
#include "executor.h"
#include "host_arrays.h"
#include "host_code.h"
#include "host_functions.h"
#include "host_references.h"
#include "host_stream.h"
#include "host_symbols.h"
#include "interruption.h"
#include "new_code.h"
#include "npy.h"
#include "nvtx.h"
#include "occupancy.h"
#include "tensor_memory.h"
#include "tiered_code.h"
#include "visible_code.h"
