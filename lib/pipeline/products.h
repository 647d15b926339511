// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The products of a job's stages as artifacts: what the caller asked for, and what an observer wants to see.
#pragma once

#include "compiler.h"

namespace llvm {
class Module;
}

namespace kiln {

struct EmittedModule;
class Worker;

class Products {
public:
  Products(Compiler &compiler, const CompilerJob &job, const CodeInstance &code)
      : compiler_(compiler), job_(job), code_(code) {}

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
  void see(ArtifactKind kind, const llvm::Module &module);
  /// The assembly of a job that asks for an object, which only an observer reads: generated from a copy.
  Result<void> see_assembly(const llvm::Module &module, const Target &target, Worker &worker);
  Result<ObjectCache::ArtifactPtr> take(const llvm::Module &module, ArtifactKind kind);
  Result<ObjectCache::ArtifactPtr> take(std::string bytes, ArtifactKind kind);

private:
  void see_text(ArtifactKind kind, std::string_view text);
  Compiler &compiler_;
  const CompilerJob &job_;
  const CodeInstance &code_;
  Artifact facts_;
};

} // namespace kiln
