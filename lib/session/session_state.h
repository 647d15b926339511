// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The services of a session, in the order in which each needs those before it.
#pragma once

#include "call_scope.h"
#include "define/language_files.h"
#include "session.h"

namespace kiln {

struct Session::State {
  State(const SessionOptions &options, TargetList targets, std::vector<OfferedLanguage> offered,
        std::shared_ptr<VisibleCode> visible, WorkerProcessesPtr processes);
  ~State() { close(); }
  /// Ends the background work and refuses calls from now on, also those of callbacks that report the end of
  /// their jobs (CompileFuture::then). May be called twice.
  void close();
  /// Whether this thread is in a callback, a host function of a kernel, or other work that close() waits for.
  bool is_waited_for_here();

  const std::shared_ptr<SessionRuntime> runtime; ///< shared with the handles
  SessionLog log;
  CallGate gate;
  const std::vector<OfferedLanguage> languages; ///< kept with what they captured until the session closes
  const std::unique_ptr<PersistentCache> persistent; ///< null: nothing outlives the session
  Definitions definitions;
  JobService jobs;
  LaunchService launches;
};

} // namespace kiln
