// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch followed by a wait for its end, shared by sessions and Runtime.
#pragma once

#include "device.h"

namespace kiln {

/// `owner`: runtime to which the kernel's device must belong. `maker`: word for the caller in messages.
/// Errors: Usage; those of Stream::launch and Stream::synchronize.
Result<void> launch_and_wait(const Kernel::State *kernel, const SessionRuntime &owner, std::string_view maker,
                             const LaunchShape &shape, std::span<const void *const> arguments,
                             const LaunchOptions &options);

} // namespace kiln
