// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call on the command line names, with what --capture, --ndrange and --workgroupsize add to it.
#pragma once

#include "arguments.h"
#include "options.h"

namespace kiln::tool {

/// The job that the options' call names, with its captured values and iteration space. `arguments` must
/// outlive it.
Result<Job> job_of_call(Session &session, Arguments &arguments, const CompileOptions &options,
                        const CompilerConfig &config);

} // namespace kiln::tool
