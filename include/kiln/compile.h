// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles in the background, and many at once: parameters and results of Session::submit, compile_many and
// prepare_many. docs/guide/many-kernels.md compares them.
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
  std::string call;                           ///< "f(T1, T2, ...)", as Session::compile takes it
  std::optional<CompilerConfig> config = {};  ///< of `call`; none: SessionOptions::default_config
  ArtifactKind kind = ArtifactKind::Assembly; ///< prepare_many does not look at it
  Job job = {};                               ///< a held job, instead of `call` and `config`
};

struct SubmitOptions {
  int priority = 0; ///< waiting compiles with larger numbers begin first
  /// From the call on; 0: none. A job that is not done by then ends in DeadlineExceeded.
  std::chrono::milliseconds deadline{0};
};

/// A submitted compile and, when it is ready, its result. Cheap to copy; copies are the same compile.
/// Thread-safe. You need not wait for it. Closing its session ends it with an error.
class KILN_API CompileFuture {
public:
  using Outcome = Result<std::shared_ptr<const Artifact>>;
  CompileFuture() = default;
  explicit operator bool() const { return state_ != nullptr; }

  bool ready() const;                                 ///< true for an empty handle
  void wait() const;                                  ///< returns at once where get() may not wait
  bool wait_for(std::chrono::nanoseconds time) const; ///< whether it is ready
  /// Waits for the result. Errors: those of Session::compile; Usage "Cancelled"; Machine "DeadlineExceeded",
  /// "WorkerError" (its worker process died). Usage for an empty handle, and on threads for which the compile
  /// may wait: in callbacks of the session, in then(), in code that a definition runs.
  Outcome get() const;
  /// Calls `told` once with the result: on the thread that compiled or cancelled, with no lock held, or, if
  /// it is ready, at once on this thread. `told` may submit and compile. On the session's threads, waiting
  /// for another future of the session is a Usage error. An exception of `told` is dropped.
  ///
  /// When the session is being closed, `told` gets the error "Cancelled" and must not use the session: it may
  /// run on the thread that destroys it. Calls of the session, by its address or by handles of jobs, then
  /// return an error of kind Usage. A session that `told` destroys stays in memory.
  void then(std::function<void(const Outcome &)> told) const;
  /// Ends it with the error "Cancelled", unless it is ready. Waiting threads get the error at once. A compile
  /// that has not begun never begins. One in this process stops at the end of its stage, which occupies its
  /// thread until then. One in a worker process ends with that process. A job that other requests wait for is
  /// still compiled for them.
  void cancel() const;

  struct KILN_LOCAL State; ///< for Kiln itself

private:
  friend class Session;
  explicit CompileFuture(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

} // namespace kiln::inline KILN_API_VERSION
