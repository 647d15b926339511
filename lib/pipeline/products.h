// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The products of a job's stages as artifacts: what the caller asked for, and what an observer wants to see.
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

/// Who sees the products: an observer of this process, or one that a worker process collects them for.
struct ProductSight {
  std::function<bool(ArtifactKind)> wants;
  std::function<void(ArtifactKind, std::string_view text)> see;
};

class Products {
public:
  Products(Compiler &compiler, const CompilerJob &job, const CodeInstance &code);
  /// Of a module that another process emitted, which knows the facts about its entry.
  Products(Artifact facts, ProductSight sight) : sight_(std::move(sight)), facts_(std::move(facts)) {}

  const ProductSight &sight() const { return sight_; }
  const Artifact &facts() const { return facts_; }
  /// What a worker process found out about the module and made of it, in place of the steps here.
  ObjectCache::ArtifactPtr take(Artifact made);
  std::optional<LargeFunction> large_function; ///< that code generation met
  std::vector<Fault> local_arrays;             ///< that the middle-end left in memory
  std::string why_not_coarse;                  ///< Target::coarsen's

  // ---- of jobs of this process
  /// Lowered and typed code need no LLVM: the artifact, if `kind` is one of them. Shows both to the observer.
  std::optional<Result<ObjectCache::ArtifactPtr>> before_llvm(ArtifactKind kind);
  /// Facts about the entry, for the artifact: after emission.
  void entry_is(const EmittedModule &emitted);
  /// That code of the device library of this digest was linked in. Of several libraries all count.
  void uses_library(const std::string &digest) {
    if (facts_.device_library.empty())
      facts_.device_library = digest;
    else if (facts_.device_library != digest)
      facts_.device_library += "+" + digest;
  }
  /// The same, of the module that goes to code generation: the kernel state, shared memory, what its launch
  /// needs.
  void linked(const llvm::Module &module, const Target &target);
  void coarsens(Coarsening coarsening) { facts_.coarsening = std::move(coarsening); }
  void see(ArtifactKind kind, const llvm::Module &module);
  /// The assembly of a job that asks for an object, which only an observer reads: generated from a copy.
  Result<void> see_assembly(const llvm::Module &module, const CompilerConfig &config, const Target &target,
                            Worker &worker);
  Result<ObjectCache::ArtifactPtr> take(const llvm::Module &module, ArtifactKind kind);
  Result<ObjectCache::ArtifactPtr> take(std::string bytes, ArtifactKind kind);

private:
  Compiler *compiler_ = nullptr; ///< null, as the two below: of another process
  const CompilerJob *job_ = nullptr;
  const CodeInstance *code_ = nullptr;
  ProductSight sight_;
  Artifact facts_;
};

} // namespace kiln
