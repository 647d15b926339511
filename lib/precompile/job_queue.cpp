// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "job_queue.h"

#include "precompile.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <set>

namespace kiln {

namespace {

constexpr size_t max_candidates = 64;
/// After this time without an answer the worker continues alone.
constexpr std::chrono::seconds silence_limit{5};
constexpr std::chrono::milliseconds min_pause{100}, max_pause{200};

} // namespace

std::vector<Fingerprint> queue_digests(std::span<const PrecompileJob> jobs) {
  std::map<std::string, Fingerprint> contents;
  auto content_of = [&](const PrecompileFile &file) {
    const std::string path = (std::filesystem::path(file.folder) / file.name).string();
    const auto [found, is_new] = contents.try_emplace(path);
    if (!is_new) return found->second;
    if (auto text = read_file(path, uint64_t(1) << 28); text.ok()) found->second = fingerprint_of(*text);
    return found->second;
  };
  std::vector<Fingerprint> digests;
  for (const PrecompileJob &job : jobs) {
    Fingerprinter digest;
    digest.add("kiln queue job 1").add(identity_of(job));
    for (const PrecompileFile &file : job.files) digest.add(content_of(file));
    digests.push_back(digest.finish());
  }
  return digests;
}

JobQueue::JobQueue(std::vector<Fingerprint> digests, std::vector<size_t> order, Take take, Finish finish)
    : digests_(std::move(digests)), order_(std::move(order)), take_(std::move(take)),
      finish_(std::move(finish)), random_(std::random_device()()), jobs_(digests_.size()) {
  std::set<Fingerprint> seen;
  for (size_t job : order_)
    if (!seen.insert(digests_[job]).second) jobs_[job].state = State::Twin;
}

std::vector<size_t> JobQueue::first_of(State state, size_t count) const {
  std::vector<size_t> found;
  for (size_t at = state == State::Unknown ? cursor_ : 0; at < order_.size() && found.size() < count; at++)
    if (jobs_[order_[at]].state == state) found.push_back(order_[at]);
  return found;
}

/// Jobs to request from the queue: those of unknown state first, then jobs of other workers. Jobs that failed
/// on this machine come last, when no other worker is left to try them.
std::vector<size_t> JobQueue::candidates() const {
  while (cursor_ < order_.size() && jobs_[order_[cursor_]].state != State::Unknown) cursor_++;
  for (State state : {State::Unknown, State::Busy, State::Lacking})
    if (std::vector<size_t> found = first_of(state, max_candidates); !found.empty()) return found;
  return {};
}

std::optional<size_t> JobQueue::next() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (fault_) return std::nullopt;
    if (!lost_.empty()) return next_alone();
    const std::vector<size_t> wanted = candidates();
    if (wanted.empty()) {
      const std::vector<size_t> twins = first_of(State::Twin, 1);
      if (twins.empty()) return std::nullopt;
      jobs_[twins[0]].state = State::Here;
      return twins[0];
    }
    const bool waits = jobs_[wanted[0]].state == State::Busy;
    if (const std::optional<size_t> job = ask(wanted)) return job;
    if (!waits && !silent_since_) continue;
    std::uniform_int_distribution<int64_t> pause(min_pause.count(), max_pause.count());
    pause_.wait_for(lock, std::chrono::milliseconds(pause(random_)));
  }
}

/// Returns a job without asking the queue, which has not answered for some seconds. Jobs that other workers
/// finished are compiled again, since their results are on a server that may be gone.
std::optional<size_t> JobQueue::next_alone() {
  for (State state : {State::Unknown, State::Busy, State::Lacking, State::Elsewhere, State::Twin})
    for (size_t job : first_of(state, 1)) {
      counts_.elsewhere -= state == State::Elsewhere;
      counts_.alone++;
      jobs_[job] = {.state = State::Here, .is_last = true};
      return job;
    }
  return std::nullopt;
}

std::optional<size_t> JobQueue::ask(const std::vector<size_t> &jobs) {
  std::vector<Fingerprint> digests;
  for (size_t job : jobs) digests.push_back(digests_[job]);
  Result<std::string> states = take_(digests, 1);
  if (!states.ok()) {
    if (states.error().kind() == ErrorKind::Usage)
      fault_ = states.take_error();
    else
      note_silence(states.error());
    return std::nullopt;
  }
  silent_since_.reset();
  std::optional<size_t> taken;
  for (size_t i = 0; i < jobs.size(); i++)
    if (note(jobs[i], TaskState((*states)[i]))) taken = jobs[i];
  return taken;
}

bool JobQueue::note(size_t job, TaskState state) {
  Job &j = jobs_[job];
  switch (state) {
  case TaskState::Unknown: return false;
  case TaskState::Busy: j.state = State::Busy; return false;
  case TaskState::Done:
  case TaskState::Failed:
    j.state = State::Elsewhere;
    counts_.elsewhere++;
    return false;
  case TaskState::Abandoned:
    j.state = State::Here;
    abandoned_.push_back(job);
    return false;
  case TaskState::Returned:
  case TaskState::ReturnedLast: counts_.returned++; [[fallthrough]];
  case TaskState::First:
  case TaskState::Retried:
  case TaskState::RetriedLast:
    j.state = State::Here;
    j.is_last = state == TaskState::ReturnedLast || state == TaskState::RetriedLast;
    return true;
  }
  return false;
}

void JobQueue::note_silence(const Error &why) {
  if (!silent_since_) silent_since_ = Clock::now();
  if (Clock::now() - *silent_since_ >= silence_limit) lost_ = why.diagnostics()[0].message;
}

bool JobQueue::finish(size_t job, bool is_done, bool is_input_error) {
  std::lock_guard lock(mutex_);
  Job &j = jobs_[job];
  const bool is_final = is_done || is_input_error || j.is_last || !lost_.empty();
  if (lost_.empty())
    finish_(digests_[job], is_done    ? AgentFinish::Outcome::Done
                           : is_final ? AgentFinish::Outcome::Failed
                                      : AgentFinish::Outcome::Retry);
  if (!is_final) j.state = State::Lacking;
  return is_final;
}

std::vector<size_t> JobQueue::take_abandoned() {
  std::lock_guard lock(mutex_);
  return std::exchange(abandoned_, {});
}

JobQueue::Counts JobQueue::counts() const {
  std::lock_guard lock(mutex_);
  return counts_;
}

std::optional<Error> JobQueue::fault() const {
  std::lock_guard lock(mutex_);
  return fault_;
}

std::string JobQueue::lost() const {
  std::lock_guard lock(mutex_);
  return lost_;
}

} // namespace kiln
