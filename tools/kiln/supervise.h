// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A command in a process of its own that is started anew when it gives up its device: the one way to end a
// kernel on a GPU that does not end by itself.
#pragma once

#include "command.h"

namespace kiln::tool {

/// What the inner process ends with to be started again.
inline constexpr int start_again = 75;

/// Runs `action` in a child process, up to `most` times as long as it ends with `start_again` (which it does
/// by exit_status()); the program then ends as the last child did. Called before anything has a thread, a
/// session or a driver. In the child it gives what `action` gives. When this process is killed the child is
/// too.
Result<void> supervise(unsigned most, const Action &action);

} // namespace kiln::tool
