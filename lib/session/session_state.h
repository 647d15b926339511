// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Services of a session, in order of dependency.
#pragma once

#include "call_scope.h"
#include "define/language_files.h"
#include "session.h"

namespace kiln {

struct Session::State {
  State(const SessionOptions &options, TargetList targets, std::vector<OfferedLanguage> offered,
        std::shared_ptr<VisibleCode> visible, WorkerProcessesPtr processes);
  ~State() { close(); }
  /// Ends the background work. Refuses later calls, including those in callbacks of ending jobs
  /// (CompileFuture::then). May be called twice.
  void close();
  /// True if close() would wait for this thread: it is in a callback, a host function of a kernel, or other
  /// work.
  bool is_waited_for_here();

  const std::shared_ptr<SessionRuntime> runtime; ///< shared with handles
  SessionLog log;
  CallGate gate;
  const std::vector<OfferedLanguage> languages;      ///< with their captures, until the session closes
  const std::unique_ptr<PersistentCache> persistent; ///< null: no cache outlives the session
  Definitions definitions;
  JobService jobs;
  LaunchService launches;
};

} // namespace kiln
