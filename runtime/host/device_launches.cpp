// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_launches.h"

#include "grid_launch.h"

namespace kiln {

namespace {
// Values of cudaError_t.
constexpr uint32_t InvalidConfiguration = 9, PendingCountExceeded = 69;
} // namespace

extern "C" uint32_t kiln_native_launch(abi::NativeThread *thread, abi::NativeKernel kernel, uint32_t blocks_x,
                                       uint32_t blocks_y, uint32_t blocks_z, uint32_t threads_x,
                                       uint32_t threads_y, uint32_t threads_z, uint32_t shared_bytes,
                                       const void *arguments, const uint32_t *layout) {
  GridLaunch &grid = *static_cast<Block *>(thread->run)->launch;
  DeviceLaunch child{.kernel = kernel,
                     .shape = {.blocks = {blocks_x, blocks_y, blocks_z},
                               .threads = {threads_x, threads_y, threads_z},
                               .shared_bytes = shared_bytes},
                     .bytes = {},
                     .depth = grid.depth + 1};
  if (!Executor::check(child.shape, grid.given.static_shared_bytes).ok()) return InvalidConfiguration;
  std::byte *bytes = child.bytes.reserve(layout[1]);
  if (layout[1]) std::memcpy(bytes, arguments, layout[1]);
  for (uint32_t i = 0; i < layout[0]; i++) child.arguments.push_back(bytes + layout[2 + i]);
  const std::array<uint32_t, 3> &blocks = grid.shape.blocks;
  child.block = thread->block[0] + blocks[0] * (thread->block[1] + uint64_t(blocks[1]) * thread->block[2]);
  std::lock_guard lock(grid.mutex);
  if (grid.pending + grid.launched.size() >= max_pending_launches) return PendingCountExceeded;
  grid.launched.push_back(std::move(child));
  return 0;
}

} // namespace kiln
