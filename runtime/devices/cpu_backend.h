// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU as a device: blocks on the executor's threads, streams as queues in front of it.
#pragma once

#include "device_backend.h"

namespace kiln {

/// Holds nothing but the runtime. `finish` waits for its streams.
std::shared_ptr<DeviceBackend> open_cpu(std::shared_ptr<SessionRuntime> runtime);

/// Launches a kernel that is no more than a function yet, and waits. Errors: as Stream::launch and
/// Stream::synchronize.
Result<void> run_kernel(SessionRuntime &runtime, const LoadedFunction &function, const LaunchShape &shape,
                        std::span<const void *const> arguments, const LaunchOptions &options);

} // namespace kiln
