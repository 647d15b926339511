// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types for compiling in the background and for many compiles at once: Session::submit, compile_many and
// prepare_many. docs/guide/many-kernels.md explains which function to use when.
#pragma once

#include <kiln/export.h>
#include <kiln/held_job.h>
#include <kiln/job.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace kiln::inline KILN_API_VERSION {

/// One product of one job.
struct CompileRequest {
  std::string call; ///< "f(T1, T2, ...)", as Session::compile takes it
  /// Options of the compile; not set: SessionOptions::default_config.
  std::optional<CompilerConfig> config = {};
  ArtifactKind kind = ArtifactKind::Assembly; ///< the requested product; prepare_many ignores it
  Job job = {};                               ///< a held job; then leave `call` and `config` empty
};

struct SubmitOptions {
  int priority = 0; ///< waiting compiles with a larger priority begin first
  /// Time from the call on, after which an unfinished job fails with DeadlineExceeded. 0: no deadline.
  std::chrono::milliseconds deadline{0};
};

/// A submitted compile and, once it is ready, its result. Cheap to copy: copies refer to the same compile.
/// Thread-safe. Waiting for the result is optional. Closing the session ends an unfinished compile with an
/// error.
class KILN_API CompileFuture {
public:
  using Outcome = Result<std::shared_ptr<const Artifact>>;
  CompileFuture() = default;
  explicit operator bool() const { return state_ != nullptr; }

  bool ready() const; ///< the result is there; true for an empty handle
  void wait() const;  ///< returns at once on threads where get() must not wait
  bool wait_for(std::chrono::nanoseconds time) const; ///< waits at most `time`; returns ready()
  /// Waits for the compile and returns its product or error. Errors: those of Session::compile; Usage
  /// "Cancelled"; Machine "DeadlineExceeded" and "WorkerError" (the worker process died); Usage for an empty
  /// handle. Also Usage on threads on which the compile may depend: in callbacks of the session, in then(),
  /// and in code that a definition runs.
  Outcome get() const;
  /// Registers a callback `told`, called once with the result. If the result is ready, then() calls it at
  /// once; else the thread that compiles or cancels calls it, with no lock held. The callback may submit and
  /// compile. On the session's threads, waiting for another future of the session is a Usage error. Its
  /// exceptions are ignored.
  ///
  /// Closing the session calls `told` with the error "Cancelled", possibly on the thread that destroys the
  /// session. The callback must not use the session then: calls through its address or handles of jobs return
  /// Usage errors. If the callback itself destroys the session, the session's memory is never freed.
  void then(std::function<void(const Outcome &)> told) const;
  /// Cancels the compile; does nothing if it is ready. Waiting threads get the error "Cancelled" at once. A
  /// compile that has not begun never starts. A compile that runs in this process occupies its thread until
  /// the end of its current stage. A compile in a worker process ends at once, since that process is killed.
  /// If others wait for the same job, it is still compiled for them.
  void cancel() const;

  struct KILN_LOCAL State; ///< for Kiln itself

private:
  friend class Session;
  explicit CompileFuture(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

} // namespace kiln::inline KILN_API_VERSION
