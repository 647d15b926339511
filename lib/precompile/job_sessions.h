// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The jobs of a list, each in a session that has loaded its files.
#pragma once

#include <kiln/precompile.h>

#include <functional>
#include <memory>
#include <optional>

namespace kiln {

class Definitions;

/// Errors (Input, at the job's place): the call or a file is in another language than the session reads.
Result<void> check_languages(Definitions &definitions, const PrecompileJob &job);

/// Jobs that load the same files share a session, which ends with the last of them; at most one a thread is
/// open.
class JobSessions {
public:
  /// The jobs must outlive it. `threads`: 0: one a core.
  JobSessions(std::span<const PrecompileJob> jobs, SessionOptions options, unsigned threads);
  ~JobSessions();
  size_t size() const; ///< jobs
  /// Called for up to 512 jobs at a time of one session, before the first of them begins. Other threads of
  /// the session wait.
  void before_jobs(std::function<void(Session &, std::span<const size_t> jobs)> prepare);
  /// Called with each session before it closes, by the thread that closes it.
  void on_close(std::function<void(Session &)> told);
  /// Calls `work` for each job, from several threads at a time, and returns when all are done. The session,
  /// or why it could not be opened or did not load its files.
  void for_each(const std::function<void(size_t job, Result<Session *> session)> &work);
  /// The same for at most so many jobs of one session at a time.
  void for_each_batch(
      size_t most, const std::function<void(std::span<const size_t> jobs, Result<Session *> session)> &work);
  unsigned threads() const;
  /// All jobs, those of one session after each other.
  std::vector<size_t> order() const;
  /// Calls `work` for the jobs that `next` returns, from several threads, until `next` returns none. At most
  /// one session a thread is open; one that is needed again is opened again.
  void for_each_next(const std::function<std::optional<size_t>()> &next,
                     const std::function<void(size_t job, Result<Session *> session)> &work);
  /// Files that are not what they were when the trace was recorded.
  std::vector<std::string> changed() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace kiln
