// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches over an iteration space (kiln/job_list.h) from --ndrange and --workgroupsize.
#pragma once

#include "options.h"

namespace kiln::tool {

/// Threads and groups of a launch over the context that the expression evaluates to.
Result<LaunchShape> shape_of_context(Session &session, const std::string &expression);

} // namespace kiln::tool
