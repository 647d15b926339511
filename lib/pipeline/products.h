// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of a job's stages as artifacts: the requested one, and those for observers.
#pragma once

#include "compiler.h"

#include <codegen/codegen.h>
#include <rewrite/rewrite.h>

namespace llvm {
class Module;
}

namespace kiln {

struct EmittedModule;
class Worker;

/// Receiver of products: an observer of this process, or the list that a worker process sends back.
struct ProductSight {
  std::function<bool(ArtifactKind)> wants;
  std::function<void(ArtifactKind, std::string_view text)> see;
};

class Products {
public:
  Products(Compiler &compiler, const CompilerJob &job, const CodeInstance &code);
  /// For a module emitted by another process, which supplies the facts about its entry.
  Products(Artifact facts, ProductSight sight) : sight_(std::move(sight)), facts_(std::move(facts)) {}

  const ProductSight &sight() const { return sight_; }
  const Artifact &facts() const { return facts_; }
  /// Takes the result of a worker process instead of the steps here.
  ObjectCache::ArtifactPtr take(Artifact made);
  std::optional<LargeFunction> large_function; ///< found by code generation
  std::vector<Fault> local_arrays;             ///< left in memory by the middle-end
  std::string why_not_coarse;                  ///< reason of Target::coarsen

  // ---- jobs of this process
  /// Lowered or typed code, if `kind` is one of them: neither needs LLVM. Shows both to the observer.
  std::optional<Result<ObjectCache::ArtifactPtr>> before_llvm(ArtifactKind kind);
  /// Records facts about the entry for the artifact, after emission.
  void entry_is(const EmittedModule &emitted);
  /// Records that code of the device library with this digest was linked. Several libraries are combined.
  void uses_library(const std::string &digest) {
    if (facts_.device_library.empty())
      facts_.device_library = digest;
    else if (facts_.device_library != digest)
      facts_.device_library += "+" + digest;
  }
  /// Records facts about the module for code generation: kernel state, shared memory, launch requirements.
  void linked(const llvm::Module &module, const Target &target);
  void coarsens(Coarsening coarsening) { facts_.coarsening = std::move(coarsening); }
  void see(ArtifactKind kind, const llvm::Module &module);
  /// Generates assembly from a copy of the module for an observer, in a job that requests an object.
  Result<void> see_assembly(const llvm::Module &module, const CompilerConfig &config, const Target &target,
                            Worker &worker);
  Result<ObjectCache::ArtifactPtr> take(const llvm::Module &module, ArtifactKind kind);
  Result<ObjectCache::ArtifactPtr> take(std::string bytes, ArtifactKind kind);

private:
  Compiler *compiler_ = nullptr; ///< null in another process, as the next two
  const CompilerJob *job_ = nullptr;
  const CodeInstance *code_ = nullptr;
  ProductSight sight_;
  Artifact facts_;
};

} // namespace kiln
