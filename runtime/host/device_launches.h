// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches by kernels on the CPU (dynamic parallelism). Child grids run after the parent grid has ended, in
// the order of its blocks and, within a block, of the launches. Each child and all its descendants run before
// the next child.
#pragma once

#include "block.h"

#include <cstring>
#include <vector>

namespace kiln {

/// CUDA's limit of grids that were launched by kernels and have not ended, including parents that wait for
/// children.
inline constexpr uint64_t max_pending_launches = 2048;

struct DeviceLaunch {
  abi::NativeKernel kernel = nullptr;
  LaunchShape shape;
  BlockMemory bytes; ///< argument bytes
  std::vector<void *> arguments{};
  /// `block`: linear index of the launching block in its grid; `depth`: nesting depth of the launch.
  uint64_t block = 0, depth = 0;
};

/// Called by compiled code for a launch inside a kernel (targets/native/device_launches.cpp). Returns 0 or a
/// cudaError_t.
extern "C" uint32_t kiln_native_launch(abi::NativeThread *thread, abi::NativeKernel kernel, uint32_t blocks_x,
                                       uint32_t blocks_y, uint32_t blocks_z, uint32_t threads_x,
                                       uint32_t threads_y, uint32_t threads_z, uint32_t shared_bytes,
                                       const void *arguments, const uint32_t *layout);

} // namespace kiln
