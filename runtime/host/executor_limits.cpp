// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch limits of the CPU, equal to those of CUDA devices.
#include "executor.h"
#include "launch_limits.h"

#include <algorithm>

namespace kiln {

namespace {

/// Rounds up to the alignment of arrays in shared memory, 16 bytes.
uint64_t rounded(uint64_t bytes) { return (bytes + 15) / 16 * 16; }

} // namespace

uint64_t shared_bytes_of_block(const LaunchShape &shape, uint64_t static_shared_bytes) {
  return rounded(static_shared_bytes) + std::min(shape.shared_bytes, uint64_t(1) << 40);
}

Result<void> Executor::check(const LaunchShape &shape, uint64_t static_shared_bytes) {
  return check_shape(shape, rounded(static_shared_bytes), limits(), "the CPU");
}

const DeviceLimits &Executor::limits() {
  static const DeviceLimits limits = {.threads_of_block = uint32_t(max_threads_per_block),
                                      .block = max_block_dims,
                                      .grid = max_grid_dims,
                                      .shared_bytes = max_shared_bytes,
                                      .cooperative = true};
  return limits;
}

} // namespace kiln
