// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs work in a child process that can be restarted. A GPU kernel that hangs ends only with its process.
#pragma once

#include <kiln/result.h>

#include <functional>

namespace kiln::tool {

/// Exit status by which the child process requests a restart.
inline constexpr int start_again = 75;

/// Runs `work` in a child process. If `work` returns `start_again`, runs it in a new child process, at most
/// `most` times in all. Returns the last exit status, or 1 after `most` times.
///
/// Call it before this process has threads, a session or a CUDA driver, because it forks. If this process
/// ends, the child is killed. If a signal ends the child, the same signal ends this process. Error: Machine,
/// if a process cannot be started.
Result<int> supervise(unsigned most, const std::function<int()> &work);

} // namespace kiln::tool
