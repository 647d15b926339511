// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <job/job.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace kiln {

class PersistentCache;
class WorkerProcesses; ///< worker_processes.h: runs LLVM and the assembler in other processes

/// The assembler of each target, loaded when a job first needs it, and its identity (name and version). An
/// identity recorded in the store makes loading unnecessary. Thread-safe.
class Assemblers {
public:
  /// `processes`: worker processes that assemble for the targets they serve. Null: this process assembles.
  explicit Assemblers(WorkerProcesses *processes = nullptr) : processes_(processes) {}
  /// Returns the target's assembler, owned by this object. Errors: those of Target::make_assembler. A later
  /// call tries again after an error.
  Result<const Assembler *> of(const Target &target);
  /// Name and version of the target's assembler. Empty: there is none. `persistent` records the result under
  /// the path, size and modification time of the tool's files.
  std::string identity(const Target &target, PersistentCache *persistent);
  /// Digest of the target's device library, read once. Empty: the target has none, or its file is missing.
  std::string device_library(const Target &target);

private:
  WorkerProcesses *const processes_;
  std::mutex mutex_;
  std::map<TargetIdentity, std::unique_ptr<Assembler>> found_;
  std::map<TargetIdentity, std::string> identities_, libraries_;
};

} // namespace kiln
