// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands; each returns the first error it met.
#pragma once

#include "bench.h"
#include "options.h"

namespace kiln::tool {

Result<void> compile(const CommonOptions &common, const CompileOptions &options);
Result<void> run(const CommonOptions &common, const CompileOptions &options, const RunOptions &launch);
Result<void> bench(const CommonOptions &common, const CompileOptions &options, const RunOptions &launch, const BenchOptions &bench);
Result<void> doctor();

} // namespace kiln::tool
