// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links the user's bitcode and textual IR (CompilerConfig::linked). Each file is parsed once per worker and
// context.
#pragma once

#include <kiln/job.h>
#include <kiln/result.h>

#include <llvm/IR/Module.h>

namespace kiln {

class Target;
class Worker;

/// Links the functions that the module declares and a file defines, with everything that they call. The first
/// file that defines a function wins. Errors: Input, naming the file (unreadable, another architecture,
/// called with other types).
Result<void> link_files(const CompilerConfig &config, llvm::Module &module, Worker &worker);

/// Links the functions of the target's own module (Target::runtime_module) that the job's module calls.
/// Error: Input, for invalid IR text.
Result<void> link_runtime_module(const Target &target, const CompilerConfig &config, llvm::Module &module,
                                 Worker &worker);

} // namespace kiln
