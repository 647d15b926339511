// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts the products of a job's stages to artifacts, for the caller and for observers.
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
  /// Constructor for a module that another process emitted. `facts`: facts about the module's entry, from
  /// that process.
  Products(Artifact facts, ProductSight sight) : sight_(std::move(sight)), facts_(std::move(facts)) {}

  const ProductSight &sight() const { return sight_; }
  const Artifact &facts() const { return facts_; }
  /// Adopts the artifact that a worker process made.
  ObjectCache::ArtifactPtr take(Artifact made);
  std::optional<LargeFunction> large_function; ///< found by code generation
  std::vector<Fault> local_arrays;             ///< arrays that optimisation left in memory
  std::string why_not_coarse;                  ///< reason of Target::coarsen

  // ---- for jobs emitted in this process
  /// Returns lowered or typed code if `kind` asks for it: neither needs LLVM. Shows both to the observer.
  std::optional<Result<ObjectCache::ArtifactPtr>> before_llvm(ArtifactKind kind);
  /// Records facts about the entry in the artifact, after emission.
  void entry_is(const EmittedModule &emitted);
  /// Records the digest of a device library that was linked. A job that links several gets their digests
  /// joined by "+".
  void uses_library(const std::string &digest) {
    if (facts_.device_library.empty())
      facts_.device_library = digest;
    else if (facts_.device_library != digest)
      facts_.device_library += "+" + digest;
  }
  /// Records facts about the linked module in the artifact: kernel state, shared memory, launch requirements.
  void linked(const llvm::Module &module, const Target &target);
  void coarsens(Coarsening coarsening) { facts_.coarsening = std::move(coarsening); }
  void see(ArtifactKind kind, const llvm::Module &module);
  /// Generates assembly from a copy of the module and shows it to the observer, for a job that requests an
  /// object.
  Result<void> see_assembly(const llvm::Module &module, const CompilerConfig &config, const Target &target,
                            Worker &worker);
  Result<ObjectCache::ArtifactPtr> take(const llvm::Module &module, ArtifactKind kind);
  Result<ObjectCache::ArtifactPtr> take(std::string bytes, ArtifactKind kind);

private:
  Compiler *compiler_ = nullptr; ///< null in a worker process, like job_ and code_
  const CompilerJob *job_ = nullptr;
  const CodeInstance *code_ = nullptr;
  ProductSight sight_;
  Artifact facts_;
};

} // namespace kiln
