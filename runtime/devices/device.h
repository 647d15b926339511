// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is behind the handles of kiln/device.h and kiln/stream.h.
#pragma once

#include "device_backend.h"

namespace kiln {

/// Gives a buffer's memory back.
struct Buffer::Owner {
  std::shared_ptr<DeviceBackend> device;
  std::shared_ptr<StreamBackend> stream; ///< that it came from; null: pinned memory
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
  std::shared_ptr<StreamBackend> backend; ///< buffers may hold it longer
};

Error empty_device();
/// Can it be used here? Errors: Usage, for an empty handle, and in a child of the process that it came from.
Result<void> check_device(const DeviceBackend *device);

} // namespace kiln
