// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "compiler.h"

#include <emit/emit.h>

namespace kiln {

class Products;
class Worker;

/// Compiles the nested jobs of `into` (EmittedModule::nested), each in its own module with its own target,
/// hooks and options, and links them in as internal functions. `target`: the target of job.config. Errors:
/// those of the nested jobs, with the place of the call.
Result<void> link_nested_jobs(Compiler &compiler, const CompilerJob &job, const Target &target,
                              EmittedModule &into, Worker &worker, Products &products);

} // namespace kiln
