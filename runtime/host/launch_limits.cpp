// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch_limits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace kiln {

Result<void> check_shape(const LaunchShape &shape, uint64_t static_shared_bytes, const DeviceLimits &limits,
                         std::string_view device) {
  if (fits(shape, static_shared_bytes, limits, limits.threads_of_block)) [[likely]]
    return {};
  const std::string threads_text = fmt::format("{}", fmt::join(shape.threads, "x"));
  // Limit per dimension, so that a product of three does not overflow 64 bits.
  constexpr uint64_t max_factor = uint64_t(1) << 20;
  uint64_t threads = 1;
  for (size_t i = 0; i < 3; i++) {
    if (shape.blocks[i] == 0 || shape.threads[i] == 0)
      return usage_error(
          fmt::format("a launch of {} blocks of {} threads: every dimension must be at least 1",
                      fmt::join(shape.blocks, "x"), threads_text));
    if (shape.blocks[i] > limits.grid[i])
      return usage_error(fmt::format("a grid of {} blocks is too large: {} runs at most {}",
                                     fmt::join(shape.blocks, "x"), device, fmt::join(limits.grid, "x")));
    threads *= std::min<uint64_t>(shape.threads[i], max_factor);
  }
  if (threads > limits.threads_of_block)
    return usage_error(fmt::format("a block of {} threads: {} runs at most {}",
                                   threads >= max_factor ? threads_text : std::to_string(threads), device,
                                   limits.threads_of_block));
  for (size_t i = 0; i < 3; i++)
    if (shape.threads[i] > limits.block[i])
      return usage_error(fmt::format("a block of {} threads: {} runs at most {} in each direction",
                                     threads_text, device, fmt::join(limits.block, "x")));
  const bool overflows = shape.shared_bytes > UINT64_MAX - static_shared_bytes;
  return usage_error(fmt::format("a block with {} bytes of shared memory: {} has at most {}",
                                 overflows ? shape.shared_bytes : static_shared_bytes + shape.shared_bytes,
                                 device, limits.shared_bytes));
}

} // namespace kiln
