// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch that waits, shared by sessions and runtimes.
#pragma once

#include "device.h"

namespace kiln {

/// `owner`: runtime of the caller's devices. `maker`: the caller's name in messages. Errors: Usage; those of
/// Stream::launch and Stream::synchronize.
Result<void> launch_and_wait(const Kernel::State *kernel, const SessionRuntime &owner, std::string_view maker,
                             const LaunchShape &shape, std::span<const void *const> arguments,
                             const LaunchOptions &options);

} // namespace kiln
