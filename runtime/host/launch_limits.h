// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks whether a launch's shape fits a device, with the same messages for all devices.
#pragma once

#include <kiln/abi.h>
#include <kiln/device.h>
#include <support/support.h>

#include <string_view>

namespace kiln {

/// Applies the checks of check_shape, without a message. `threads`: maximum number of threads of a block, at
/// most the device's.
inline bool fits(const LaunchShape &shape, uint64_t static_shared_bytes, const DeviceLimits &limits,
                 uint64_t threads) {
  // The product overflows only for blocks that are too large in one dimension anyway. For a product of 0,
  // `wanted - 1` wraps to a huge value.
  const uint64_t wanted = uint64_t(shape.threads[0]) * shape.threads[1] * shape.threads[2];
  bool fits = wanted - 1 < threads && static_shared_bytes <= limits.shared_bytes &&
              shape.shared_bytes <= limits.shared_bytes - static_shared_bytes;
  for (size_t i = 0; i < 3; i++)
    fits &= shape.blocks[i] - 1 < limits.grid[i] && shape.threads[i] <= limits.block[i];
  return fits;
}

/// Checks that the device can run this grid with this much static shared memory. `device` is its name in
/// messages. Error: Usage (a dimension of 0; too many blocks or threads; too much shared memory), with the
/// requested value and the limit.
Result<void> check_shape(const LaunchShape &shape, uint64_t static_shared_bytes, const DeviceLimits &limits,
                         std::string_view device);

} // namespace kiln
