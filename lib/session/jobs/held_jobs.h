// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs that the embedder holds: they notice when a definition makes them stale.
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

/// What is behind a job, shared by all handles of jobs with the same call and config that hold in the same
/// worlds.
struct Job::State {
  std::shared_ptr<HeldJobs> jobs;
  TypeRef tuple =
      nullptr; ///< of the function and its arguments; not to be looked at when the session has gone
  InferenceFacts facts;
  std::string call;
  CompilerConfig config;

  std::atomic<bool> is_stale{false};
  std::atomic<WorldAge> checked{0}; ///< the last world in which it was found to hold
  mutable std::mutex mutex;         ///< of what follows; nothing else is locked under it
  CompilerJob job;                  ///< of the world `checked`
  const Method *chosen = nullptr;   ///< what the call chose there; job.source has its expansion
  std::optional<Fingerprint> code;  ///< of all that it reaches, once that was asked for
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
  /// That opened the session: in a child of it the locks in here are not to be waited for.
  bool is_of_this_process() const { return process_ == process_token(); }

  /// The caller has resolved it now, under a CodeInstanceTable::Use that it still holds. Error: Usage, for
  /// what its target throws.
  Result<StatePtr> hold(const CompilerJob &job);
  /// Errors: Usage, for an empty handle, and for a job of another session.
  Result<CompilerJob> job_of(const Job &job) const;
  static const Job::State *state_of(const Job &job) { return job.state_.get(); } ///< null: an empty handle
  static Job as_job(StatePtr state) { return Job(std::move(state)); }
  /// The job of a state as a call of now would give it.
  Result<CompilerJob> resolve_now(const Job::State &state) const;
  /// While a scope is open, jobs are collected.
  const std::atomic<int> &open_scopes() const { return open_scopes_; }
  void collect(const CompilerJob &job);
  void open(std::shared_ptr<JobScope::State> scope);
  void close(const std::shared_ptr<JobScope::State> &scope);
  /// Null: it has gone.
  Session::State *session() const { return session_.load(std::memory_order_acquire); }
  /// Something may have been defined: those that are stale now are told, and lose their data. No lock is
  /// held.
  void definitions_changed();
  /// Whether it still holds in the newest world; takes note of that.
  bool is_current(Job::State &state);
  /// Worlds before this one are needed by no job.
  WorldAge oldest_needed() const;
  /// The session goes.
  void close();
  void keep(const StatePtr &state); ///< it has data: it stays until it is stale

private:
  struct Entry {
    std::weak_ptr<Job::State> state;
    StatePtr kept; ///< set while it has data
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
  std::mutex scopes_mutex_; ///< of scopes_; a scope's own mutex is taken under it
  std::vector<std::shared_ptr<JobScope::State>> scopes_;
  mutable std::mutex mutex_; ///< of entries_; nothing else is locked under it
  std::unordered_map<TypeRef, std::vector<Entry>> entries_;
  size_t sweep_at_ = 64, count_ = 0;
};

} // namespace kiln
