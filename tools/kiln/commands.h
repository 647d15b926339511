// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands; each returns the first error it met.
#pragma once

#include "arguments.h"
#include "bench.h"
#include "options.h"

namespace kiln::tool {

Result<void> compile(const CommonOptions &common, const CompileOptions &options);
/// The job that the options' call names, with its captured values and iteration space. `arguments` outlives
/// it.
Result<CompilerJob> job_of_call(Session::State &state, Arguments &arguments, const CompileOptions &options,
                                const CompilerConfig &config);
Result<void> run(const CommonOptions &common, const CompileOptions &options, const RunOptions &launch);
Result<void> bench(const CommonOptions &common, const CompileOptions &options, const RunOptions &launch,
                   const BenchOptions &bench);
Result<void> doctor();

} // namespace kiln::tool
