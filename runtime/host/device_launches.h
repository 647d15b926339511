// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grids launched by kernels on the CPU. They run after the parent grid has ended, in the order of its blocks
// and, within a block, of the launches. Each grid runs before the next one, together with the grids that it
// launches.
#pragma once

#include "block.h"

#include <cstring>
#include <vector>

namespace kiln {

/// Maximum number of grids launched and not yet ended, including parents that wait for children. CUDA's
/// limit.
inline constexpr uint64_t max_pending_launches = 2048;

struct DeviceLaunch {
  abi::NativeKernel kernel = nullptr;
  LaunchShape shape;
  BlockMemory bytes; ///< argument bytes
  std::vector<void *> arguments{};
  uint64_t block = 0, depth = 0; ///< parent block, by its place in the grid; nesting depth
};

/// Called by compiled code (targets/native/device_launches.cpp). Returns 0 or a cudaError_t.
extern "C" uint32_t kiln_native_launch(abi::NativeThread *thread, abi::NativeKernel kernel, uint32_t blocks_x,
                                       uint32_t blocks_y, uint32_t blocks_z, uint32_t threads_x,
                                       uint32_t threads_y, uint32_t threads_z, uint32_t shared_bytes,
                                       const void *arguments, const uint32_t *layout);

} // namespace kiln
