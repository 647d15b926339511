// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "compiler.h"

namespace kiln {

/// The pipeline: from the job's typed code to its product at stage `kind`. Asks no cache. Thread-safe: each
/// call has an LLVM worker of its own. Errors: as Compiler::compile.
Result<ObjectCache::ArtifactPtr> compile_code(Compiler &compiler, const CompilerJob &job,
                                              const CodeInstance &code, const Target &target,
                                              ArtifactKind kind);

} // namespace kiln
