// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component host (layer 5): where compiled code runs. Free of LLVM.
//   host_code      machine code in this process; host_symbols: what it may call
//   host_functions the embedder's functions that it may call; c_entry: a function pointer for C
//   host_arrays    arrays that compiled code of a program makes
//   visible_code   native code for gdb and perf (perf_dump)
//   executor       a grid of blocks; exceptions of threads
//   work_threads   where it runs: oneTBB, the embedder's executor, or thread_pool in a child of a process
//   launch_limits  what a launch may ask of a device; executor_limits: of the CPU
//   block          one block: barriers, operations of warps
//   tensor_memory  of a block, as sm_100 has it
//   checker        what a checked kernel does wrong with memory
//   watchdog       time limits of launches
//   interruption   ends compiled code from outside
//   host_stream    queues of launches, and events
//   cuda_driver    NVIDIA's driver, opened at run time (its functions: cuda_functions.def)
//   cuda_device    one GPU in a context: what it can do; cuda_memory: its allocator
//   cuda_module    cubins and PTX that are loaded, and their kernels
//   cuda_link      the driver as an assembler
//   cuda_stream    queues of launches and copies; cuda_event: events, exceptions, graphs
//   nvtx           ranges for NVIDIA's tools
//   occupancy      how many blocks a multiprocessor holds
//   npy            NumPy files in and out
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
#include "host_stream.h"
#include "host_symbols.h"
#include "interruption.h"
#include "npy.h"
#include "nvtx.h"
#include "occupancy.h"
#include "tensor_memory.h"
#include "visible_code.h"
