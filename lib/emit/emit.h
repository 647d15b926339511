// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component emit (layer 6): makes LLVM IR of typed code. Small callees are inlined during emission, so that
// LLVM's inliner has less to do. Struct values are kept as separate scalars.
//   emit         a job's module: the entry, and the functions that it needs
//   function     one code instance, as a function or inlined
//   value        forms of values: scalars, exploded structs, small unions
//   intrinsics   the LLVM lowering of each intrinsic in lowered/intrinsics.def
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

/// A function that the emitted module only declares. A nested job (CompilerConfig::nested) defines it.
struct NestedCall {
  std::string symbol; ///< of the declaration
  std::string config; ///< name of the nested config
  const CodeInstance *code = nullptr;
  Location at; ///< first call that requests it
};

struct EmittedModule {
  std::unique_ptr<llvm::Module> module; ///< owned by the caller; its context is the worker's
  std::string entry;                    ///< name of the entry function
  /// Parameters of the entry; arguments without a value at run time (ghosts) are left out.
  std::vector<Artifact::Parameter> parameters;
  uint64_t return_size = 0;
  bool session_bound = false;       ///< contains addresses of this process
  std::vector<Diagnostic> warnings; ///< suspicious but valid code
  std::vector<NestedCall> nested;   ///< in call order
};

/// Emits `code` as the entry of `job`, and all functions that it calls. The module has the target's triple
/// and data layout, and follows the conventions in lib/rewrite/rewrite.h. Errors (Input): only KernelError. A
/// call that cannot run becomes a kiln.static_error marker, which validation reports.
Result<EmittedModule> emit(TypeContext &types, const SourceMap &sources, const CompilerJob &job,
                           const CodeInstance &code, const Target &target, llvm::LLVMContext &context);
/// Emits a nested job. Its entry is named `symbol`, and takes each field of an argument as a parameter, like
/// functions behind deferred_codegen pointers. Arguments need not be isbits.
Result<EmittedModule> emit_nested(TypeContext &types, const SourceMap &sources, const CompilerJob &job,
                                  const CodeInstance &code, const std::string &symbol, const Target &target,
                                  llvm::LLVMContext &context);

} // namespace kiln
