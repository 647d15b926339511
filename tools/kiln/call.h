// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resolves a call on the command line to a job, with --capture, --ndrange and --workgroupsize.
#pragma once

#include "arguments.h"
#include "options.h"

namespace kiln::tool {

/// The job of the options' call, with its captured values and iteration space. `arguments` must outlive it.
Result<Job> job_of_call(Session &session, Arguments &arguments, const CompileOptions &options,
                        const CompilerConfig &config);

} // namespace kiln::tool
