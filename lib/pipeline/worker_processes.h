// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The worker processes of a session: which work they do, and what is asked of them. A job's code is emitted
// in this process, where definitions are; what follows (linking, LLVM, code generation) and assembling are
// theirs.
#pragma once

#include "compiler.h"

#include <workers/workers.h>

namespace llvm {
class Module;
}

namespace kiln {

class Products;

/// Thread-safe.
class WorkerProcesses {
public:
  /// `served`: the targets that the worker program knows, which are Kiln's own. `assemble_limit`: for one
  /// call of an assembler; 0: none.
  WorkerProcesses(WorkerOptions options, unsigned limit, std::vector<const Target *> served,
                  std::chrono::nanoseconds assemble_limit = {})
      : served_(std::move(served)), assemble_limit_(assemble_limit), pool_(std::move(options), limit) {}

  bool serves(const Target &target) const;
  /// Whether they do the work behind emission: an embedder's hooks are code of this process.
  bool serves(const Target &target, const CompilerConfig &config) const {
    return serves(target) && !config.hooks;
  }
  /// One that has its work done by them, with the identity of the assembler that they found. `target`
  /// outlives it. Errors: those of Target::make_assembler, "WorkerError", those of check_cancellation().
  /// Errors of the assembler's calls: AssembleLimit too.
  Result<std::unique_ptr<Assembler>> assembler_of(const Target &target);
  /// The steps behind emission. The module stays as it is; what an observer wants to see is shown through
  /// `products`. Errors: as Compiler::compile, without places; "WorkerError"; those of check_cancellation().
  Result<ObjectCache::ArtifactPtr> compile(const CompilerConfig &config, const llvm::Module &module,
                                           ArtifactKind kind, Products &products);
  /// A request and its answer's payload. Errors: the work's, without places; "WorkerError", of
  /// check_cancellation(); DeadlineExceeded, for work that takes longer than `limit` (0: none).
  Result<std::string> ask(uint32_t type, std::string payload, std::chrono::nanoseconds limit = {});
  std::chrono::nanoseconds assemble_limit() const { return assemble_limit_; }
  ProcessPool &pool() { return pool_; }

private:
  const std::vector<const Target *> served_;
  const std::chrono::nanoseconds assemble_limit_;
  ProcessPool pool_;
};

/// What a worker program runs (lib/workers/serve.h): the other side of WorkerProcesses. `orphaned` ends the
/// process.
Result<void> serve_jobs(int descriptor, std::string build, const TargetList &targets,
                        const std::function<void()> &orphaned);

} // namespace kiln
