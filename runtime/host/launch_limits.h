// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does a launch's shape fit a device? One answer, with one wording, for all devices.
#pragma once

#include <kiln/abi.h>
#include <kiln/device.h>
#include <support/support.h>

#include <string_view>

namespace kiln {

/// The same as check_shape, without saying why not. `threads`: of a block, at most the device's.
inline bool fits(const LaunchShape &shape, uint64_t static_shared_bytes, const DeviceLimits &limits,
                 uint64_t threads) {
  // May overflow for blocks that are too large in one direction as well; 0 wraps and is too many.
  const uint64_t wanted = uint64_t(shape.threads[0]) * shape.threads[1] * shape.threads[2];
  bool fits = wanted - 1 < threads && static_shared_bytes <= limits.shared_bytes &&
              shape.shared_bytes <= limits.shared_bytes - static_shared_bytes;
  for (size_t i = 0; i < 3; i++)
    fits &= shape.blocks[i] - 1 < limits.grid[i] && shape.threads[i] <= limits.block[i];
  return fits;
}

/// Can the device run such a grid of a kernel with so much static shared memory? `device` is its name in
/// messages. Error: Usage (a dimension of 0, too many blocks or threads, too much shared memory), which says
/// what is asked for and the limit.
Result<void> check_shape(const LaunchShape &shape, uint64_t static_shared_bytes, const DeviceLimits &limits,
                         std::string_view device);

} // namespace kiln
