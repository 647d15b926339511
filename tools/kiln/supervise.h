// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs work in a child process, and restarts it when it gives up its device. Only the end of its process ends
// a GPU kernel that hangs.
#pragma once

#include <kiln/result.h>

#include <functional>

namespace kiln::tool {

/// Exit status with which the child asks for a restart.
inline constexpr int start_again = 75;

/// Runs `work` in a child process, up to `most` times while it returns `start_again`. Returns the last
/// status, or 1 if that is still `start_again`.
///
/// Call it before the process has threads, a session or a driver. The child dies with this process, and a
/// signal that ends the child ends this process. Error: Machine.
Result<int> supervise(unsigned most, const std::function<int()> &work);

} // namespace kiln::tool
