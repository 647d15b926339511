// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU as a device: blocks on the executor's threads, streams as queues for it.
#pragma once

#include "device_backend.h"

namespace kiln {

/// Holds only the runtime. `finish` waits for its streams.
std::shared_ptr<DeviceBackend> open_cpu(std::shared_ptr<SessionRuntime> runtime);

} // namespace kiln
