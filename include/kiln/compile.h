// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles that nobody waits for yet, and many at once: what Session::submit, compile_many and prepare_many
// take and give. docs/guide/many-kernels.md tells which to use when.
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
  Job job = {};                               ///< one that is held, in place of `call` and `config`
};

struct SubmitOptions {
  int priority = 0; ///< of two that wait, the one with the larger number is compiled first
  /// From the call on; 0: none. A job that is not done by then ends in DeadlineExceeded.
  std::chrono::milliseconds deadline{0};
};

/// A compile that was submitted, and its result when it is there. Cheap to copy, the copies are the same
/// compile; thread-safe. Nobody has to wait for it. When its session is closed it ends with an error.
class KILN_API CompileFuture {
public:
  using Outcome = Result<std::shared_ptr<const Artifact>>;
  CompileFuture() = default;
  explicit operator bool() const { return state_ != nullptr; }

  bool ready() const;                                 ///< of an empty handle: true
  void wait() const;                                  ///< returns at once where get() may not wait
  bool wait_for(std::chrono::nanoseconds time) const; ///< whether it is ready
  /// Waits for it. Errors: those of Session::compile; Usage "Cancelled"; Machine "DeadlineExceeded",
  /// "WorkerError" (its worker process died); Usage for an empty handle, and where the compile may wait for
  /// this thread: in callbacks of the session, in then(), in code that a definition runs.
  Outcome get() const;
  /// Calls `told` once with the result: on the thread that compiled or cancelled, with no lock held, or, if
  /// it is ready, at once on this thread. `told` may submit and compile. On the session's threads, waiting
  /// for another future of the session is a Usage error. An exception of `told` is dropped.
  ///
  /// When the session is being closed, `told` gets the error "Cancelled" and must not use the session: it may
  /// run on the thread that destroys it. Calls of the session, by its address or by handles of jobs, then
  /// return an error of kind Usage. A session that `told` destroys stays in memory.
  void then(std::function<void(const Outcome &)> told) const;
  /// Ends it with the error "Cancelled", unless it is ready: those who wait hear of it at once. One that has
  /// not begun never does. One that is under way in this process stops at the end of its stage; what is left
  /// of the stage takes its thread until then. One in a worker process ends with that process. A job that
  /// others wait for as well is compiled for them all the same.
  void cancel() const;

  struct KILN_LOCAL State; ///< for Kiln itself

private:
  friend class Session;
  explicit CompileFuture(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

} // namespace kiln::inline KILN_API_VERSION
