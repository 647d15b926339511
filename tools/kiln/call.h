// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call on the command line names, with what --capture, --ndrange and --workgroupsize add to it.
#pragma once

#include "arguments.h"
#include "options.h"

namespace kiln::tool {

/// "f(T1, T2)", "host/kernel(T1)" or a function alone.
Result<ResolvedCall> parse_call(Session::State &state, const std::string &call,
                                std::span<const Capture> captures);

/// The job that the options' call names, with its captured values and iteration space. `arguments` outlives
/// it.
Result<CompilerJob> job_of_call(Session::State &state, Arguments &arguments, const CompileOptions &options,
                                const CompilerConfig &config);

} // namespace kiln::tool
