// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An embedder's hooks in the flow of single jobs, for any target: CompilerConfig::hooks. They have the names
// of GPUCompiler.jl's and of Target's hooks; each is called directly after the target's hook of that name.
#pragma once

#include <kiln/job.h>

namespace llvm {
class Function;
class Module;
class TargetMachine;
} // namespace llvm

namespace kiln {

/// One immutable object, shared by all threads that compile with it. Its functions must not throw. Their
/// effect may depend only on the config, the module, the name and the version. Otherwise the caches would
/// give one job's code to another.
class JobHooks {
public:
  virtual ~JobHooks();
  /// Both enter the object's key. Change the version whenever the hooks treat a job differently.
  virtual std::string name() const = 0;
  virtual std::string version() const = 0;

  // ---- in the order of the pipeline. An error ends the job.
  virtual Result<void> prepare_job(const CompilerConfig &) const { return {}; }
  /// Right after emission.
  virtual Result<void> finish_module(const CompilerConfig &, llvm::Module &,
                                     llvm::Function & /*entry*/) const {
    return {};
  }
  /// Called after the device library is linked: links functions that the module still lacks.
  virtual Result<void> link_libraries(const CompilerConfig &, llvm::Module &) const { return {}; }
  virtual Result<void> finish_linked_module(const CompilerConfig &, llvm::Module &) const { return {}; }
  /// Called after the middle-end, if CompilerConfig::optimize is set.
  virtual Result<void> optimize_module(const CompilerConfig &, llvm::Module &, llvm::TargetMachine &) const {
    return {};
  }
  virtual Result<void> finish_ir(const CompilerConfig &, llvm::Module &) const { return {}; }
  /// Functions that may stay undefined, besides the target's.
  virtual bool is_intrinsic(std::string_view /*function*/) const { return false; }
  virtual Result<void> validate_ir(const CompilerConfig &, const llvm::Module &) const { return {}; }
  /// Sees the module when it is the product `kind`: Llvm or LlvmOpt. Not for jobs that a cache answers.
  virtual void observe(const CompilerConfig &, ArtifactKind /*kind*/, const llvm::Module &) const {}
};

} // namespace kiln
