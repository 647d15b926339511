// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component emit (layer 6): typed code -> LLVM IR. Small callees are emitted in place (typed code is inlined
// while it is emitted: no inliner has to find them later); values of structs are kept as separate scalars.
//   emit         a job's module: the entry, the functions it needs
//   function     one code instance as a function or in place
//   value        how values of each type are held: scalars, exploded structs, small unions
//   intrinsics   one LLVM lowering for each intrinsic of lowered/intrinsics.def
//   debug        line tables and full debug information
#pragma once

#include <infer/infer.h>
#include <job/job.h>

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
class Function;
} // namespace llvm

namespace kiln {

/// A function that the module declares and a nested job (CompilerConfig::nested) is to define.
struct NestedCall {
  std::string symbol; ///< of the declaration
  std::string config; ///< name of the nested config
  const CodeInstance *code = nullptr;
  Location at; ///< of the call that asks for it first
};

struct EmittedModule {
  std::unique_ptr<llvm::Module> module;        ///< owned by the caller; its context is the worker's
  std::string entry;                           ///< name of the entry function
  std::vector<Artifact::Parameter> parameters; ///< of the entry, ghosts left out
  uint64_t return_size = 0;
  bool session_bound = false;       ///< the code holds addresses of this process
  std::vector<Diagnostic> warnings; ///< of what runs, but not as its author may think
  std::vector<NestedCall> nested;   ///< in the order of their calls
};

/// Emits `code` as the entry of `job` and all it calls. The module has the target's triple and data layout
/// and follows the conventions in docs/architecture.md ("Emitted IR"). Errors: Input KernelError only; calls
/// that cannot run become kiln.static_error markers.
Result<EmittedModule> emit(TypeContext &types, const SourceMap &sources, const CompilerJob &job,
                           const CodeInstance &code, const Target &target, llvm::LLVMContext &context);
/// The same of a nested job: its entry `symbol` takes each argument's parts as parameters of their own, as
/// what deferred_codegen points to does. Its arguments need not be isbits.
Result<EmittedModule> emit_nested(TypeContext &types, const SourceMap &sources, const CompilerJob &job,
                                  const CodeInstance &code, const std::string &symbol, const Target &target,
                                  llvm::LLVMContext &context);

} // namespace kiln
