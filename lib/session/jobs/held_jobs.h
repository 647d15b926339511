// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs that the embedder holds. They notice when a definition makes them stale.
#pragma once

#include <job/job.h>
#include <kiln/held_job.h>
#include <kiln/session.h>
#include <support/support.h>

#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace kiln {

/// State shared by all handles of jobs with the same call and config that are valid in the same worlds.
struct Job::State {
  std::shared_ptr<HeldJobs> jobs;
  TypeRef tuple = nullptr; ///< of the function and its arguments; invalid once the session is closed
  InferenceFacts facts;
  std::string call;
  CompilerConfig config;

  std::atomic<bool> is_stale{false};
  std::atomic<WorldAge> checked{0}; ///< the last world in which the job was valid
  mutable std::mutex mutex;         ///< guards the following; take no other lock under it
  CompilerJob job;                  ///< in the world `checked`
  const Method *chosen = nullptr;   ///< the chosen method; job.source has its expansion
  std::optional<Fingerprint> code;  ///< of all code that the job reaches, once it was needed
  std::vector<std::function<void()>> told;
  std::map<const void *, std::shared_ptr<void>> data;
};

struct JobScope::State {
  std::shared_ptr<HeldJobs> jobs;
  mutable std::mutex mutex;
  std::vector<std::shared_ptr<Job::State>> collected;
};

/// The jobs that a session's embedder holds. Thread-safe; outlives the session if a job does.
class HeldJobs : public std::enable_shared_from_this<HeldJobs> {
public:
  using StatePtr = std::shared_ptr<Job::State>;
  explicit HeldJobs(Session::State &session) : session_(&session) {}
  /// True in the process that opened the session. In a forked child, the locks in here may never be released.
  bool is_of_this_process() const { return process_ == process_token(); }

  /// Holds a job that the caller has just resolved under a CodeInstanceTable::Use that it still holds. Error:
  /// Usage, for exceptions of its target.
  Result<StatePtr> hold(const CompilerJob &job);
  /// Errors: Usage, for an empty handle or a job of another session.
  Result<CompilerJob> job_of(const Job &job) const;
  static const Job::State *state_of(const Job &job) { return job.state_.get(); } ///< null: an empty handle
  static Job as_job(StatePtr state) { return Job(std::move(state)); }
  /// Resolves the state's call in the newest world.
  Result<CompilerJob> resolve_now(const Job::State &state) const;
  /// While scopes are open, they collect jobs.
  const std::atomic<int> &open_scopes() const { return open_scopes_; }
  void collect(const CompilerJob &job);
  void open(std::shared_ptr<JobScope::State> scope);
  void close(const std::shared_ptr<JobScope::State> &scope);
  /// Null: the session is closed.
  Session::State *session() const { return session_.load(std::memory_order_acquire); }
  /// Notifies listeners of jobs that have become stale and drops the jobs' data. Call it after definitions,
  /// without a lock.
  void definitions_changed();
  /// Checks the job in the newest world and records the result.
  bool is_current(Job::State &state);
  /// The oldest world that a held job still needs.
  WorldAge oldest_needed() const;
  /// Called when the session closes.
  void close();
  void keep(const StatePtr &state); ///< keeps a state with data alive until it is stale

private:
  struct Entry {
    std::weak_ptr<Job::State> state;
    StatePtr kept; ///< set while the job has data
  };
  bool check(Job::State &state, Session::State &session, WorldAge age);
  bool may_wait(Job::State &state);
  std::vector<StatePtr> alive() const;
  bool is_untouched(const Job::State &state, Session::State &session, const CompilerJob &before,
                    const Method *chosen, WorldAge age);
  static void tell(Job::State &state);

  const uint64_t process_ = process_token();
  std::atomic<Session::State *> session_;
  std::atomic<int> open_scopes_{0};
  std::mutex scopes_mutex_; ///< guards scopes_; taken before a scope's own mutex
  std::vector<std::shared_ptr<JobScope::State>> scopes_;
  mutable std::mutex mutex_; ///< guards entries_; take no other lock under it
  std::unordered_map<TypeRef, std::vector<Entry>> entries_;
  size_t sweep_at_ = 64, count_ = 0;
};

} // namespace kiln
