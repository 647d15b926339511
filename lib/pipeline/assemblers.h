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

/// The assembler of each target, found when a job first needs it, and its identity. If the store remembers
/// the identity, the assembler is not loaded for it. Thread-safe.
class Assemblers {
public:
  /// `processes`: null, or worker processes that assemble for the targets that they serve.
  explicit Assemblers(WorkerProcesses *processes = nullptr) : processes_(processes) {}
  /// The assembler, owned by this object. Errors: those of Target::make_assembler, again at each call.
  Result<const Assembler *> of(const Target &target);
  /// Name and version of the assembler; empty: none. `persistent` remembers it by the tool's path, size and
  /// modification time.
  std::string identity(const Target &target, PersistentCache *persistent);
  /// Digest of the target's device library; empty: the target has none, or it is missing. Read once.
  std::string device_library(const Target &target);

private:
  WorkerProcesses *const processes_;
  std::mutex mutex_;
  std::map<TargetIdentity, std::unique_ptr<Assembler>> found_;
  std::map<TargetIdentity, std::string> identities_, libraries_;
};

} // namespace kiln
