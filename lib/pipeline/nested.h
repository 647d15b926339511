// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "compiler.h"

#include <emit/emit.h>

namespace kiln {

class Products;
class Worker;

/// Compiles the nested jobs of `into` (EmittedModule::nested) and links them in as internal functions. Each
/// has its own module with its own target, hooks and options. `target` must be that of job.config. Errors:
/// those of the nested jobs, with the place that requests them.
Result<void> link_nested_jobs(Compiler &compiler, const CompilerJob &job, const Target &target,
                              EmittedModule &into, Worker &worker, Products &products);

} // namespace kiln
