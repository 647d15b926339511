// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "compiler.h"

#include <llvm_support/llvm_support.h>

namespace kiln {

class Products;

/// What the steps behind emission need, which may run in another process than emission did.
struct ModuleCompilation {
  const CompilerConfig &config;
  const Target &target;
  Worker &worker;
  MachineSpec machine;
  Products &products;
  Assemblers &assemblers;      ///< tells of the device library
  const SourceMap &source_map; ///< in which faults find their lines
  Timer *timer_of_steps;
};

/// Those steps, on a module in the worker's context, which is used up. Errors: as Compiler::compile.
Result<ObjectCache::ArtifactPtr> compile_module(const ModuleCompilation &compilation, llvm::Module &module,
                                                ArtifactKind kind);

/// The pipeline: from the job's typed code to its product at stage `kind`. Asks no cache. Thread-safe: each
/// call has an LLVM worker of its own. Errors: as Compiler::compile.
Result<ObjectCache::ArtifactPtr> compile_code(Compiler &compiler, const CompilerJob &job,
                                              const CodeInstance &code, const Target &target,
                                              ArtifactKind kind);

} // namespace kiln
