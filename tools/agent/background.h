// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// serve --background: a child serves, and the parent returns when sessions can connect.
#pragma once

#include <kiln/result.h>

namespace kiln::tool {

struct Background {
  bool is_parent = false;
  int status = 0; ///< the parent's exit status: 0 once the child has reported, else the child's own
  int ready = -1; ///< the child's, for report_ready
};

/// Forks, before any thread exists. The child leads a session of its own. The parent returns when the child
/// has reported or ended. Error: Machine.
Result<Background> go_to_background();

/// Reports to the parent, and lets go of the terminal: standard streams lead to /dev/null from here on.
void report_ready(int ready);

} // namespace kiln::tool
