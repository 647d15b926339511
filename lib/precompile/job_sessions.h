// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the jobs of a list. Each job runs in a session that has loaded the job's files.
#pragma once

#include <kiln/precompile.h>

#include <functional>
#include <memory>
#include <optional>

namespace kiln {

class Definitions;

/// Checks that the session reads the call and the files in the languages that the job names. Error: Input, at
/// the job's place in the list.
Result<void> check_languages(Definitions &definitions, const PrecompileJob &job);

/// Sessions for the jobs of a list. Jobs with the same files share a session, which closes after their last
/// job. Each thread has at most one session open.
class JobSessions {
public:
  /// `jobs` must outlive this object. `threads`: number of threads; 0: one per core.
  JobSessions(std::span<const PrecompileJob> jobs, SessionOptions options, unsigned threads);
  ~JobSessions();
  size_t size() const; ///< number of jobs
  /// Sets a function that is called before jobs of a session run, for up to 512 of them at a time. Other
  /// threads of the session wait meanwhile.
  void before_jobs(std::function<void(Session &, std::span<const size_t> jobs)> prepare);
  /// Sets a function that is called before a session closes, on the closing thread.
  void on_close(std::function<void(Session &)> told);
  /// Sets a function that is called before each job or batch. Once it returns true, no further job begins.
  void stop_when(std::function<bool()> is_stopped);
  /// Calls `work` for each job, on several threads, and returns when all jobs are done. `session`: the job's
  /// session, or the error of opening it or loading its files.
  void for_each(const std::function<void(size_t job, Result<Session *> session)> &work);
  /// Calls `work` like for_each(), for batches of up to `most` jobs of one session.
  void for_each_batch(
      size_t most, const std::function<void(std::span<const size_t> jobs, Result<Session *> session)> &work);
  unsigned threads() const;
  /// All jobs, grouped by session.
  std::vector<size_t> order() const;
  /// Calls `next` on several threads until it returns no job, and `work` for each job. Each thread has at
  /// most one session open. A closed session is opened again if another job needs it.
  void for_each_next(const std::function<std::optional<size_t>()> &next,
                     const std::function<void(size_t job, Result<Session *> session)> &work);
  /// Paths of files whose content differs from the digest in the trace.
  std::vector<std::string> changed() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace kiln
