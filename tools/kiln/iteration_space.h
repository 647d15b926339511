// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes the launch shape of KernelAbstractions kernels from --ndrange and --workgroupsize.
#pragma once

#include "options.h"

namespace kiln::tool {

/// Returns the threads and blocks of a launch. `expression`: Julia text that evaluates to the kernel's hidden
/// first argument, its iteration space (iteration_space, kiln/job_list.h).
Result<LaunchShape> shape_of_context(Session &session, const std::string &expression);

} // namespace kiln::tool
