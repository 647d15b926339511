// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a compile job of a call on the command line, such as 'f(Float32)', and of the options --capture,
// --ndrange and --workgroupsize.
#pragma once

#include "arguments.h"
#include "options.h"

namespace kiln::tool {

/// Makes the compile job of the call in `options`, with captured values and iteration space. `arguments` owns
/// the captured values and must outlive the job.
Result<Job> job_of_call(Session &session, Arguments &arguments, const CompileOptions &options,
                        const CompilerConfig &config);

} // namespace kiln::tool
