// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU as a device: the executor's threads run its blocks, and its streams are queues for the executor.
#pragma once

#include "device_backend.h"

namespace kiln {

/// Opens the CPU. The device holds only the runtime; its `finish` waits for the streams.
std::shared_ptr<DeviceBackend> open_cpu(std::shared_ptr<SessionRuntime> runtime);

} // namespace kiln
