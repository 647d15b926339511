// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grids that the kernels of a grid launch on the CPU. They run when it has ended, in the order of its blocks
// and, within a block, of their launches; each, with what it launches itself, before the next.
#pragma once

#include "block.h"

#include <cstring>
#include <vector>

namespace kiln {

/// Grids launched and not ended, those counted that wait for what they launched: CUDA's limit.
inline constexpr uint64_t max_pending_launches = 2048;

struct DeviceLaunch {
  abi::NativeKernel kernel = nullptr;
  LaunchShape shape;
  BlockMemory bytes; ///< of the arguments
  std::vector<void *> arguments{};
  uint64_t block = 0, depth = 0; ///< that launched it, by its place in the grid; grids above it
};

/// What compiled code calls (targets/native/device_launches.cpp). 0, or the number of an error of CUDA's.
extern "C" uint32_t kiln_native_launch(abi::NativeThread *thread, abi::NativeKernel kernel, uint32_t blocks_x,
                                       uint32_t blocks_y, uint32_t blocks_z, uint32_t threads_x,
                                       uint32_t threads_y, uint32_t threads_z, uint32_t shared_bytes,
                                       const void *arguments, const uint32_t *layout);

} // namespace kiln
