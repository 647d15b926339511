// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch over an iteration space (kiln/job_list.h) that --ndrange and --workgroupsize give.
#pragma once

#include "options.h"

namespace kiln::tool {

/// Threads and groups of a launch over the context that the expression gives.
Result<LaunchShape> shape_of_context(Session &session, const std::string &expression);

} // namespace kiln::tool
