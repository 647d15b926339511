// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What sessions and runtimes do in the same way: a launch that waits.
#pragma once

#include "device.h"

namespace kiln {

/// `owner` is what the devices of the caller hold, `maker` what it is called in messages. Errors: Usage, and
/// as Stream::launch and Stream::synchronize.
Result<void> launch_and_wait(const Kernel::State *kernel, const SessionRuntime &owner, std::string_view maker,
                             const LaunchShape &shape, std::span<const void *const> arguments,
                             const LaunchOptions &options);

} // namespace kiln
