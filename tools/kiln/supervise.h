// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work in a process of its own that is started anew when it gives up its device: the one way to end a kernel
// on a GPU that does not end by itself.
#pragma once

#include <kiln/result.h>

#include <functional>

namespace kiln::tool {

/// What the inner process ends with to be started again.
inline constexpr int start_again = 75;

/// Runs `work` in a child process, up to `most` times as long as it gives `start_again`; gives the last one's
/// status, or 1 if that is still `start_again`. Called before anything has a thread, a session or a driver.
/// When this process is killed the child is too; a signal that ends the child ends this process. Error:
/// Machine.
Result<int> supervise(unsigned most, const std::function<int()> &work);

} // namespace kiln::tool
