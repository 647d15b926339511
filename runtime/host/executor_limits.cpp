// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch on the CPU may ask for: as much as CUDA's devices give.
#include "executor.h"

#include <fmt/format.h>

#include <algorithm>

namespace kiln {

uint64_t shared_bytes_of_block(const LaunchShape &shape, uint64_t static_shared_bytes) {
  return (static_shared_bytes + 15) / 16 * 16 + std::min(shape.shared_bytes, uint64_t(1) << 40);
}

Result<void> Executor::check(const LaunchShape &shape, uint64_t static_shared_bytes) {
  uint64_t shared = shared_bytes_of_block(shape, static_shared_bytes);
  uint64_t threads = 1;
  for (size_t i = 0; i < 3; i++) {
    if (shape.blocks[i] == 0 || shape.threads[i] == 0)
      return usage_error(
          fmt::format("a launch of {} blocks of {} threads: every dimension must be at least 1",
                      fmt::join(shape.blocks, "x"), fmt::join(shape.threads, "x")));
    if (shape.blocks[i] > max_grid_dims[i])
      return usage_error(fmt::format("a grid of {} blocks is too large: at most {} are possible",
                                     fmt::join(shape.blocks, "x"), fmt::join(max_grid_dims, "x")));
    threads *= std::min<uint64_t>(shape.threads[i], uint64_t(1) << 20);
  }
  if (threads > max_threads_per_block)
    return usage_error(fmt::format("a block of {} threads: at most {} are possible",
                                   threads >= uint64_t(1) << 20
                                       ? fmt::format("{}", fmt::join(shape.threads, "x"))
                                       : std::to_string(threads),
                                   max_threads_per_block));
  for (size_t i = 0; i < 3; i++)
    if (shape.threads[i] > max_block_dims[i])
      return usage_error(fmt::format("a block of {} threads: at most {} are possible in each direction",
                                     fmt::join(shape.threads, "x"), fmt::join(max_block_dims, "x")));
  if (shape.shared_bytes > max_shared_bytes || shared > max_shared_bytes)
    return usage_error(fmt::format("a block with {} bytes of shared memory: at most {} are possible", shared,
                                   max_shared_bytes));
  return {};
}

DeviceLimits Executor::limits() {
  DeviceLimits l;
  l.threads_of_block = uint32_t(max_threads_per_block);
  for (size_t i = 0; i < 3; i++) {
    l.block[i] = uint32_t(max_block_dims[i]);
    l.grid[i] = uint32_t(max_grid_dims[i]);
  }
  l.shared_bytes = max_shared_bytes;
  l.cooperative = true;
  return l;
}

} // namespace kiln
