// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State behind the public handles of kiln/device.h and kiln/stream.h.
#pragma once

#include "device_backend.h"

namespace kiln {

/// Device and stream through which the buffer's destructor frees the memory.
struct Buffer::Owner {
  std::shared_ptr<DeviceBackend> device;
  /// Stream in which the buffer was allocated; null: the buffer is pinned memory.
  std::shared_ptr<StreamBackend> stream;
};

struct Kernel::State {
  std::shared_ptr<DeviceBackend> device;
  LoadedKernel loaded;
};

struct Graph::State {
  std::shared_ptr<DeviceBackend> device;
  std::shared_ptr<const GraphBackend> backend;
};

struct Stream::State {
  std::shared_ptr<DeviceBackend> device;
  std::shared_ptr<StreamBackend> backend; ///< also held by buffers
};

Error empty_device();
/// Checks that this process can use the device. Error: Usage for an empty handle, and in a forked child.
Result<void> check_device(const DeviceBackend *device);

} // namespace kiln
