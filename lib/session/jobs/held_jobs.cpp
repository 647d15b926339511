// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "held_jobs.h"

#include <session/session_state.h>

#include <support/guard_target.h>

namespace kiln {

Result<HeldJobs::StatePtr> HeldJobs::hold(const CompilerJob &job) {
  const TypeRef tuple = job.source->arguments;
  auto same = [&](const StatePtr &state) {
    return state && !state->is_stale.load(std::memory_order_acquire) && state->config == job.config;
  };
  StatePtr found;
  {
    std::lock_guard lock(mutex_);
    if (auto entries = entries_.find(tuple); entries != entries_.end())
      for (const Entry &entry : entries->second)
        if (StatePtr state = entry.state.lock(); same(state)) found = std::move(state);
  }
  if (found && is_current(*found)) return found;

  auto made = make_of_process<Job::State>();
  made->jobs = shared_from_this();
  made->tuple = tuple;
  KILN_TRY(made->facts, guard_target(job.config, [&]() -> Result<InferenceFacts> {
             return session()->jobs.facts_of(job);
           }));
  if (auto match = session()->definitions.world().lookup_method(tuple, job.world, made->facts.overlay);
      match.ok())
    made->chosen = match->method;
  made->call = session()->definitions.frontend().call_text(tuple);
  made->config = job.config;
  made->job = job;
  made->checked.store(job.world, std::memory_order_release);
  std::lock_guard lock(mutex_);
  if (++count_ >= sweep_at_) {
    count_ = 0;
    for (auto it = entries_.begin(); it != entries_.end();) {
      std::erase_if(it->second, [](const Entry &entry) { return entry.state.expired(); });
      count_ += it->second.size();
      it = it->second.empty() ? entries_.erase(it) : std::next(it);
    }
    sweep_at_ = std::max<size_t>(64, 2 * count_);
  }
  entries_[tuple].push_back({made, nullptr});
  return made;
}

Result<CompilerJob> HeldJobs::resolve_now(const Job::State &state) const {
  return session()->jobs.job_of_types(state.tuple->as<DataType>()->params(), state.config);
}

void HeldJobs::collect(const CompilerJob &job) {
  auto made = hold(job);
  // An exception of the target; the next compile calls the target again and reports the error.
  if (!made.ok()) return;
  const StatePtr held = std::move(*made);
  std::lock_guard lock(scopes_mutex_);
  for (const auto &scope : scopes_) {
    std::lock_guard hold_scope(scope->mutex);
    if (std::ranges::find(scope->collected, held) == scope->collected.end()) scope->collected.push_back(held);
  }
}

void HeldJobs::open(std::shared_ptr<JobScope::State> scope) {
  std::lock_guard lock(scopes_mutex_);
  scopes_.push_back(std::move(scope));
  open_scopes_++;
}

void HeldJobs::close(const std::shared_ptr<JobScope::State> &scope) {
  std::lock_guard lock(scopes_mutex_);
  if (std::erase(scopes_, scope)) open_scopes_--;
}

/// Returns true if the call of a held job still chooses the same method with the same typed code. A fast
/// check, since each definition calls it for every held job.
bool HeldJobs::is_untouched(const Job::State &state, Session::State &session, const CompilerJob &before,
                            const Method *chosen, WorldAge age) {
  auto match = session.definitions.world().lookup_method(state.tuple, age, state.facts.overlay);
  if (!match.ok() || !match->method || match->method != chosen) return false;
  const CodeInstance *then = session.definitions.code().find(*before.source, state.facts, before.world);
  return then && then == session.definitions.code().find(*before.source, state.facts, age);
}

bool HeldJobs::check(Job::State &state, Session::State &session, WorldAge age) {
  auto use = session.jobs.use();
  CompilerJob before;
  const Method *chosen = nullptr;
  std::optional<Fingerprint> code;
  {
    std::lock_guard lock(state.mutex);
    if (state.is_stale.load(std::memory_order_relaxed)) return false;
    before = state.job;
    chosen = state.chosen;
    code = state.code;
  }
  auto digest_of = [&](const CompilerJob &job) {
    return guard_target(state.config, [&] { return session.jobs.code_digest(job); });
  };
  // The digest is computed while the typed code is in memory. A later check without it would have to infer
  // the code of the old world age again.
  auto note_code = [&] {
    if (!code)
      if (auto digest = digest_of(before); digest.ok()) code = *digest;
  };
  if (is_untouched(state, session, before, chosen, age)) {
    note_code();
    std::lock_guard lock(state.mutex);
    state.code = code;
    if (age > state.job.world) state.job.world = age;
    state.checked.store(std::max(age, state.checked.load(std::memory_order_relaxed)),
                        std::memory_order_release);
    return true;
  }
  note_code();
  auto now = resolve_now(state);
  bool holds = now.ok();
  if (holds) {
    auto digest = digest_of(*now);
    holds = digest.ok() ? code == *digest : !code && now->source == before.source;
  }
  std::lock_guard lock(state.mutex);
  if (!holds) {
    state.is_stale.store(true, std::memory_order_release);
    return false;
  }
  if (now->world >= state.job.world) {
    state.job = *now;
    if (auto match = session.definitions.world().lookup_method(state.tuple, now->world, state.facts.overlay);
        match.ok())
      state.chosen = match->method;
    state.code = code;
    state.checked.store(std::max(age, state.checked.load(std::memory_order_relaxed)),
                        std::memory_order_release);
  }
  return true;
}

bool HeldJobs::is_current(Job::State &state) {
  if (state.is_stale.load(std::memory_order_acquire)) return false;
  Session::State *session = this->session();
  if (!session) return false;
  const WorldAge age = session->definitions.world().age();
  return state.checked.load(std::memory_order_acquire) == age || check(state, *session, age);
}

void HeldJobs::tell(Job::State &state) {
  std::vector<std::function<void()>> told;
  std::map<const void *, std::shared_ptr<void>> data; // freed without a lock
  {
    std::lock_guard lock(state.mutex);
    told.swap(state.told);
    data.swap(state.data);
  }
  for (const auto &each : told) {
    try {
      each();
    } catch (...) { // exceptions of Job::on_stale callbacks are ignored (kiln/held_job.h)
    }
  }
}

std::vector<HeldJobs::StatePtr> HeldJobs::alive() const {
  std::vector<StatePtr> states;
  std::lock_guard lock(mutex_);
  for (const auto &[tuple, entries] : entries_)
    for (const Entry &entry : entries)
      if (StatePtr state = entry.state.lock()) states.push_back(std::move(state));
  return states;
}

/// Returns true if the check of a job after a definition may wait until the job's next use. If the typed code
/// was evicted, a check infers the job again in about 10 ms, too slow for hundreds of jobs. Jobs with a
/// listener or attached data cannot wait. The wait ends after `longest_wait` world ages, because an unchecked
/// job keeps the definitions of its world age in memory.
bool HeldJobs::may_wait(Job::State &state) {
  constexpr WorldAge longest_wait = 4096;
  Session::State *session = this->session();
  if (!session) return false;
  auto use = session->jobs.use();
  CompilerJob job;
  {
    std::lock_guard lock(state.mutex);
    const bool is_awaited = !state.told.empty() || !state.data.empty();
    if (is_awaited || !state.code || state.is_stale.load(std::memory_order_relaxed)) return false;
    job = state.job;
  }
  const WorldAge checked = state.checked.load(std::memory_order_acquire);
  return session->definitions.world().age() - checked < longest_wait &&
         !session->definitions.code().find(*job.source, state.facts, job.world);
}

void HeldJobs::definitions_changed() {
  for (const StatePtr &state : alive()) {
    if (may_wait(*state) || is_current(*state)) continue;
    StatePtr kept; // keeps the state alive until tell() has run
    {
      std::lock_guard lock(mutex_);
      if (auto found = entries_.find(state->tuple); found != entries_.end())
        for (Entry &entry : found->second)
          if (entry.kept == state) kept.swap(entry.kept);
    }
    tell(*state);
  }
}

void HeldJobs::keep(const StatePtr &state) {
  std::lock_guard lock(mutex_);
  if (auto found = entries_.find(state->tuple); found != entries_.end())
    for (Entry &entry : found->second)
      if (entry.state.lock() == state) entry.kept = state;
}

WorldAge HeldJobs::oldest_needed() const {
  WorldAge oldest = EndOfTime;
  for (const StatePtr &state : alive())
    oldest = std::min(oldest, state->checked.load(std::memory_order_acquire));
  return oldest;
}

void HeldJobs::close() {
  session_.store(nullptr, std::memory_order_release);
  decltype(entries_) entries;
  {
    std::lock_guard lock(mutex_);
    entries.swap(entries_);
  }
  for (auto &[tuple, of_tuple] : entries)
    for (Entry &entry : of_tuple)
      if (StatePtr state = entry.state.lock()) {
        std::map<const void *, std::shared_ptr<void>> data;
        std::lock_guard lock(state->mutex);
        data.swap(state->data);
        state->told.clear();
      }
}

} // namespace kiln
