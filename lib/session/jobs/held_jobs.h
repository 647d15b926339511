// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Held jobs of the embedder, and the checks that tell if a definition made a job stale.
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

/// State of a held job. Handles share it if call and config are equal and the jobs are valid in the same
/// world ages.
struct Job::State {
  std::shared_ptr<HeldJobs> jobs;
  /// Tuple type of the function and its arguments; dangling after the session is closed.
  TypeRef tuple = nullptr;
  InferenceFacts facts;
  std::string call;
  CompilerConfig config;

  std::atomic<bool> is_stale{false};
  std::atomic<WorldAge> checked{0}; ///< the newest world age in which the job was found valid
  mutable std::mutex mutex;         ///< guards the members below; no other lock may be taken while it is held
  CompilerJob job;                  ///< in the world `checked`
  const Method *chosen = nullptr;   ///< the chosen method; if it is @generated, job.source has its expansion
  std::optional<Fingerprint> code;  ///< digest of all code that the job reaches; empty until first needed
  std::vector<std::function<void()>> told;
  std::map<const void *, std::shared_ptr<void>> data;
};

struct JobScope::State {
  std::shared_ptr<HeldJobs> jobs;
  mutable std::mutex mutex;
  std::vector<std::shared_ptr<Job::State>> collected;
};

/// All held jobs of a session. Thread-safe. It outlives the session if a job handle does.
class HeldJobs : public std::enable_shared_from_this<HeldJobs> {
public:
  using StatePtr = std::shared_ptr<Job::State>;
  explicit HeldJobs(Session::State &session) : session_(&session) {}
  /// Returns true in the process that opened the session. In a forked child, locks of this object may stay
  /// locked forever.
  bool is_of_this_process() const { return process_ == process_token(); }

  /// Makes a held job of `job`. The caller has resolved `job` under a CodeInstanceTable::Use and still holds
  /// the Use. Error: Usage for an exception of the job's target.
  Result<StatePtr> hold(const CompilerJob &job);
  /// Returns the CompilerJob of a handle. Errors: Usage for an empty handle or a job of another session.
  Result<CompilerJob> job_of(const Job &job) const;
  static const Job::State *state_of(const Job &job) { return job.state_.get(); } ///< null: an empty handle
  static Job as_job(StatePtr state) { return Job(std::move(state)); }
  /// Resolves the call of a held job again, with the newest definitions.
  Result<CompilerJob> resolve_now(const Job::State &state) const;
  /// Returns the number of open JobScopes, which collect all requested jobs.
  const std::atomic<int> &open_scopes() const { return open_scopes_; }
  void collect(const CompilerJob &job);
  void open(std::shared_ptr<JobScope::State> scope);
  void close(const std::shared_ptr<JobScope::State> &scope);
  /// Null: the session is closed.
  Session::State *session() const { return session_.load(std::memory_order_acquire); }
  /// Finds jobs that have become stale, calls their on_stale listeners, and releases their attached data.
  /// Call it after definitions, without holding a lock.
  void definitions_changed();
  /// Checks that the job is valid with the newest definitions, and records the result in `state`.
  bool is_current(Job::State &state);
  /// Returns the oldest world age that a held job still needs.
  WorldAge oldest_needed() const;
  /// Called when the session closes.
  void close();
  void keep(const StatePtr &state); ///< keeps a state with data alive until it is stale

private:
  struct Entry {
    std::weak_ptr<Job::State> state;
    StatePtr kept; ///< keeps the state alive while data is attached to the job
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
  mutable std::mutex mutex_; ///< guards entries_; no other lock may be taken while it is held
  std::unordered_map<TypeRef, std::vector<Entry>> entries_;
  size_t sweep_at_ = 64, count_ = 0;
};

} // namespace kiln
