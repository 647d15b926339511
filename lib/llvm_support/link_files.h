// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The user's bitcode and textual IR (CompilerConfig::linked), parsed once per worker and context.
#pragma once

#include <kiln/job.h>
#include <kiln/result.h>

#include <llvm/IR/Module.h>

namespace kiln {

class Target;
class Worker;

/// Links bodies of functions that the module declares and a file defines, with everything that these need, in
/// file order. Errors: Input, naming the file (unreadable, another architecture, called with other types).
Result<void> link_files(const CompilerConfig &config, llvm::Module &module, Worker &worker);

/// Links the target's own functions (Target::runtime_module) that the module calls. Errors: Internal for
/// invalid IR text.
Result<void> link_runtime_module(const Target &target, const CompilerConfig &config, llvm::Module &module,
                                 Worker &worker);

} // namespace kiln
