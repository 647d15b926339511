// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "compiler.h"

#include <llvm_support/llvm_support.h>

namespace kiln {

class Products;

/// Input of the steps after emission, which may run in a worker process.
struct ModuleCompilation {
  const CompilerConfig &config;
  const Target &target;
  Worker &worker;
  MachineSpec machine;
  Products &products;
  Assemblers &assemblers;      ///< knows the device library
  const SourceMap &source_map; ///< to locate faults
  Timer *timer_of_steps;
};

/// Runs the steps after emission on a module in the worker's context, and consumes it. Errors: those of
/// Compiler::compile.
Result<ObjectCache::ArtifactPtr> compile_module(const ModuleCompilation &compilation, llvm::Module &module,
                                                ArtifactKind kind);

/// The pipeline: compiles a job's typed code to its product at stage `kind`, without the cache. Thread-safe:
/// each call uses its own LLVM worker. Errors: those of Compiler::compile.
Result<ObjectCache::ArtifactPtr> compile_code(Compiler &compiler, const CompilerJob &job,
                                              const CodeInstance &code, const Target &target,
                                              ArtifactKind kind);

} // namespace kiln
