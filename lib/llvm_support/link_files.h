// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bitcode and textual IR of the user's (CompilerConfig::linked), parsed once a worker and context.
#pragma once

#include <kiln/job.h>
#include <kiln/result.h>

#include <llvm/IR/Module.h>

namespace kiln {

class Target;
class Worker;

/// Gives bodies to the functions that the module declares and a file defines, and to what these need; in the
/// order of the files. Errors: Input, naming the file (not readable, of another architecture, called with
/// other types).
Result<void> link_files(const CompilerConfig &config, llvm::Module &module, Worker &worker);

/// The target's own functions (Target::runtime_module), as far as the module calls them. Errors: Internal for
/// text that is no IR.
Result<void> link_runtime_module(const Target &target, const CompilerConfig &config, llvm::Module &module,
                                 Worker &worker);

} // namespace kiln
