// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <job/job.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace kiln {

class PersistentCache;
class WorkerProcesses; ///< worker_processes.h: those that do the session's work in LLVM

/// The assembler of each target, found when a job first needs it, and its version, for which it need not be
/// loaded where the store remembers it. Thread-safe.
class Assemblers {
public:
  /// `processes`: null, or those that assemble for the targets that they serve.
  explicit Assemblers(WorkerProcesses *processes = nullptr) : processes_(processes) {}
  /// Lives as long as this. Errors: those of Target::make_assembler, each time it is asked.
  Result<const Assembler *> of(const Target &target);
  /// Its name and version; empty if there is none. `persistent` remembers it by the tool's path, size and
  /// time of change.
  std::string identity(const Target &target, PersistentCache *persistent);
  /// The digest of the target's device library; empty if it has none, or none is there. Read once.
  std::string device_library(const Target &target);

private:
  WorkerProcesses *const processes_;
  std::mutex mutex_;
  std::map<TargetIdentity, std::unique_ptr<Assembler>> found_;
  std::map<TargetIdentity, std::string> identities_, libraries_;
};

} // namespace kiln
