// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Worker processes of a session, and the requests that it sends them. The session's process emits the LLVM
// module of a job, since it has the definitions. Worker processes link, optimise, generate code and assemble.
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
  /// `served`: the targets that the worker program supports, which are Kiln's own. `assemble_limit`: maximum
  /// time of one assembler call; 0: no limit.
  WorkerProcesses(WorkerOptions options, unsigned limit, std::vector<const Target *> served,
                  std::chrono::nanoseconds assemble_limit = {})
      : served_(std::move(served)), assemble_limit_(assemble_limit), pool_(std::move(options), limit) {}

  bool serves(const Target &target) const;
  /// True if worker processes run the steps after emission for this config. False if the config has an
  /// embedder's hooks, which are code of this process.
  bool serves(const Target &target, const CompilerConfig &config) const {
    return serves(target) && !config.hooks;
  }
  /// Makes an assembler that works in worker processes and has the identity that they report. `target` must
  /// outlive it. Errors: those of Target::make_assembler and check_cancellation(), and "WorkerError". Calls
  /// of the assembler also return AssembleLimit.
  Result<std::unique_ptr<Assembler>> assembler_of(const Target &target);
  /// Runs the steps after emission in a worker process. Does not change the module. Shows the products that
  /// came back to observers through `products`. Errors: those of Compiler::compile, without locations, those
  /// of check_cancellation(), and "WorkerError".
  Result<ObjectCache::ArtifactPtr> compile(const CompilerConfig &config, const llvm::Module &module,
                                           ArtifactKind kind, Products &products);
  /// Sends a request and returns the answer's payload. Errors: those of the work, without locations; those of
  /// check_cancellation(); "WorkerError"; DeadlineExceeded if the work takes longer than `limit` (0: no
  /// limit).
  Result<std::string> ask(uint32_t type, std::string payload, std::chrono::nanoseconds limit = {});
  std::chrono::nanoseconds assemble_limit() const { return assemble_limit_; }
  ProcessPool &pool() { return pool_; }

private:
  const std::vector<const Target *> served_;
  const std::chrono::nanoseconds assemble_limit_;
  ProcessPool pool_;
};

/// Runs the main loop of a worker process: receives and answers the requests of WorkerProcesses. `orphaned`
/// is called when the requesting process is gone, and must end this process.
Result<void> serve_jobs(int descriptor, std::string build, const TargetList &targets,
                        const std::function<void()> &orphaned);

} // namespace kiln
