// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the jobs of a list, each in a session that has loaded its files.
#pragma once

#include <kiln/precompile.h>

#include <functional>
#include <memory>
#include <optional>

namespace kiln {

class Definitions;

/// Checks that the session reads the language of the call and of the files. Errors: Input, at the job's
/// place.
Result<void> check_languages(Definitions &definitions, const PrecompileJob &job);

/// Jobs with the same files share a session, which closes after its last job. Each thread has at most one
/// session open.
class JobSessions {
public:
  /// The jobs must outlive it. `threads`: 0: one per core.
  JobSessions(std::span<const PrecompileJob> jobs, SessionOptions options, unsigned threads);
  ~JobSessions();
  size_t size() const; ///< number of jobs
  /// Sets a function that is called before the jobs of a session, for up to 512 jobs at a time. Other threads
  /// of the session wait for it.
  void before_jobs(std::function<void(Session &, std::span<const size_t> jobs)> prepare);
  /// Sets a function that is called before a session closes, on the thread that closes it.
  void on_close(std::function<void(Session &)> told);
  /// Calls `work` for each job, on several threads, and returns when all are done. `session`: the job's
  /// session, or the error of opening it or of loading its files.
  void for_each(const std::function<void(size_t job, Result<Session *> session)> &work);
  /// As for_each, for batches of a session's jobs of at most this size.
  void for_each_batch(
      size_t most, const std::function<void(std::span<const size_t> jobs, Result<Session *> session)> &work);
  unsigned threads() const;
  /// All jobs, grouped by session.
  std::vector<size_t> order() const;
  /// Calls `work` on several threads for each job that `next` returns, until `next` is empty. Each thread has
  /// at most one session open. A session that is needed again is opened again.
  void for_each_next(const std::function<std::optional<size_t>()> &next,
                     const std::function<void(size_t job, Result<Session *> session)> &work);
  /// Files that have changed since the trace was recorded.
  std::vector<std::string> changed() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace kiln
