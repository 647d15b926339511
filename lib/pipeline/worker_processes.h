// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Worker processes of a session: their work, and requests to them. This process emits a job's code, since it
// has the definitions. Worker processes link, optimise, generate code and assemble.
#pragma once

#include "compiler.h"

#include <workers/workers.h>

namespace llvm {
class Module;
}

namespace kiln {

class Products;

/// Sends work to worker processes. Thread-safe.
class WorkerProcesses {
public:
  /// `served`: targets that the worker program knows: Kiln's own. `assemble_limit`: for one
  /// call of an assembler; 0: none.
  WorkerProcesses(WorkerOptions options, unsigned limit, std::vector<const Target *> served,
                  std::chrono::nanoseconds assemble_limit = {})
      : served_(std::move(served)), assemble_limit_(assemble_limit), pool_(std::move(options), limit) {}

  bool serves(const Target &target) const;
  /// True if worker processes run the steps after emission. Hooks of an embedder prevent it: they are code of
  /// this process.
  bool serves(const Target &target, const CompilerConfig &config) const {
    return serves(target) && !config.hooks;
  }
  /// Assembler that works in worker processes, with the identity that they report. `target` must outlive it.
  /// Errors: those of Target::make_assembler, "WorkerError", those of check_cancellation().
  /// Errors of the assembler's calls: AssembleLimit too.
  Result<std::unique_ptr<Assembler>> assembler_of(const Target &target);
  /// Runs the steps after emission. The module is not changed. Products for observers are shown through
  /// `products`. Errors: those of Compiler::compile, without places; "WorkerError"; those of
  /// check_cancellation().
  Result<ObjectCache::ArtifactPtr> compile(const CompilerConfig &config, const llvm::Module &module,
                                           ArtifactKind kind, Products &products);
  /// Sends a request and returns the answer's payload. Errors: those of the work, without places;
  /// "WorkerError"; those of check_cancellation(); DeadlineExceeded if the work takes longer than `limit`
  /// (0: none).
  Result<std::string> ask(uint32_t type, std::string payload, std::chrono::nanoseconds limit = {});
  std::chrono::nanoseconds assemble_limit() const { return assemble_limit_; }
  ProcessPool &pool() { return pool_; }

private:
  const std::vector<const Target *> served_;
  const std::chrono::nanoseconds assemble_limit_;
  ProcessPool pool_;
};

/// Main loop of a worker program (lib/workers/serve.h): the other side of WorkerProcesses. `orphaned` must
/// end the process.
Result<void> serve_jobs(int descriptor, std::string build, const TargetList &targets,
                        const std::function<void()> &orphaned);

} // namespace kiln
