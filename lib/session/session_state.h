// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State of a session: its services, in order of dependency.
#pragma once

#include "call_scope.h"
#include "define/language_files.h"
#include "session.h"

namespace kiln {

struct Session::State {
  State(const SessionOptions &options, TargetList targets, std::vector<OfferedLanguage> offered,
        std::shared_ptr<VisibleCode> visible, WorkerProcessesPtr processes);
  ~State() { close(); }
  /// Ends background work and refuses later calls, including calls in callbacks of ending jobs
  /// (CompileFuture::then). May be called twice.
  void close();
  /// Returns true if close() would wait for this thread: it runs a callback, a host function of a kernel, or
  /// background work of the session.
  bool is_waited_for_here();

  const std::shared_ptr<SessionRuntime> runtime; ///< shared with handles
  SessionLog log;
  CallGate gate;
  /// Factories of languages; their captures live until the session closes.
  const std::vector<OfferedLanguage> languages;
  const std::unique_ptr<PersistentCache> persistent; ///< persistent caches; null: the session has none
  Definitions definitions;
  JobService jobs;
  LaunchService launches;
};

} // namespace kiln
