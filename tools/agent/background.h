// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements `serve --background`: the child serves, and the parent returns when sessions can connect.
#pragma once

#include <kiln/result.h>

namespace kiln::tool {

struct Background {
  bool is_parent = false;
  int status = 0; ///< the parent's exit status: 0 once the child has reported, else the child's own
  int ready = -1; ///< the child's end of the pipe, for report_ready
};

/// Forks the agent. Call it before the process has threads. The child leads its own session. The parent
/// returns when the child has reported or exited. Error: Machine.
Result<Background> go_to_background();

/// Reports to the parent through the pipe `ready`, and points the standard streams to /dev/null.
void report_ready(int ready);

} // namespace kiln::tool
