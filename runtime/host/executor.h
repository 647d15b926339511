// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a grid on the CPU: blocks in parallel on oneTBB, the threads of a block one after the other.
#pragma once

#include <kiln/abi.h>
#include <kiln/result.h>

#include <span>

namespace kiln {

/// Limits of a launch, as CUDA's devices have them.
inline constexpr uint64_t max_threads_per_block = 1024;
inline constexpr uint64_t max_shared_bytes = 227 * 1024;

/// Runs every thread of the grid and waits. `arguments[i]` points to the i-th parameter's bytes. The first exception of
/// the launch is left in `record`; it ends its own thread only. Errors: Usage (a shape of 0, too many threads in a
/// block, too much shared memory).
Result<void> run_grid(abi::NativeKernel kernel, const LaunchShape &shape, std::span<void *const> arguments, uint64_t static_shared_bytes,
                      abi::ExceptionRecord &record);

/// Runs a plain function once; `result` has room for what it returns, and keeps its bytes if it throws.
void run_function(abi::NativeFunction function, std::span<void *const> arguments, void *result, abi::ExceptionRecord &record);

/// What compiled code calls after it reported an exception: ends the running thread. Never returns.
extern "C" [[noreturn]] void kiln_native_throw(abi::NativeThread *thread);

} // namespace kiln
