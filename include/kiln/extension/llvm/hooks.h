// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hooks of an embedder in the compile of chosen jobs, for any target: CompilerConfig::hooks. They have the
// names of the hooks of GPUCompiler.jl and of class Target. Each is called right after the target's hook of
// the same name.
#pragma once

#include <kiln/job.h>

namespace llvm {
class Function;
class Module;
class TargetMachine;
} // namespace llvm

namespace kiln {

/// Hooks of an embedder, derived from this class. One immutable object, shared by all compiling threads; its
/// functions must not throw. Their results must depend only on the config, the module, name() and version();
/// otherwise caches return wrong code.
class JobHooks {
public:
  virtual ~JobHooks();
  /// Name and version are part of the cache key of object code. Change the version whenever the hooks change
  /// their results.
  virtual std::string name() const = 0;
  virtual std::string version() const = 0;

  // ---- hooks, in the order of the pipeline. An error fails the job.
  virtual Result<void> prepare_job(const CompilerConfig &) const { return {}; }
  /// Right after emission.
  virtual Result<void> finish_module(const CompilerConfig &, llvm::Module &,
                                     llvm::Function & /*entry*/) const {
    return {};
  }
  /// After linking the device library: links functions that the module still lacks.
  virtual Result<void> link_libraries(const CompilerConfig &, llvm::Module &) const { return {}; }
  virtual Result<void> finish_linked_module(const CompilerConfig &, llvm::Module &) const { return {}; }
  /// After LLVM's optimisation, if CompilerConfig::optimize is set.
  virtual Result<void> optimize_module(const CompilerConfig &, llvm::Module &, llvm::TargetMachine &) const {
    return {};
  }
  virtual Result<void> finish_ir(const CompilerConfig &, llvm::Module &) const { return {}; }
  /// Returns true for functions that may stay undefined, in addition to the target's.
  virtual bool is_intrinsic(std::string_view /*function*/) const { return false; }
  virtual Result<void> validate_ir(const CompilerConfig &, const llvm::Module &) const { return {}; }
  /// Receives the module when it is the product `kind`: Llvm or LlvmOpt. Not called for jobs that a cache
  /// holds.
  virtual void observe(const CompilerConfig &, ArtifactKind /*kind*/, const llvm::Module &) const {}
};

} // namespace kiln
