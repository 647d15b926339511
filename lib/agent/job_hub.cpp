// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "job_hub.h"

#include <algorithm>

namespace kiln {

namespace {

constexpr std::chrono::milliseconds upload_check{5};
constexpr size_t max_held = 4'096; ///< jobs of one worker

bool is_taken(TaskState state) {
  using enum TaskState;
  return state == First || state == Returned || state == ReturnedLast || state == Retried ||
         state == RetriedLast;
}

} // namespace

JobHub::JobHub(EventLoop &loop, std::shared_ptr<RemoteStore> store, std::shared_ptr<JobServer> server)
    : loop_(loop), store_(std::move(store)), server_(std::move(server)),
      random_(uint64_t(std::random_device()()) << 32 | std::random_device()()) {}

JobHub::~JobHub() {
  *alive_ = false;
  loop_.cancel(beat_timer_);
  loop_.cancel(upload_timer_);
}

AgentTasks JobHub::unusable() const {
  AgentTasks tasks{.outcome = AgentTasks::Outcome::Unusable};
  if (!store_->may_write()) {
    tasks.why = fmt::format("a worker of a queue publishes to {}, and this machine has no key to sign with",
                            store_->shown_url());
    tasks.help = "name the key in KILN_REMOTE_SIGN_KEY, or set KILN_REMOTE_TRUST=none where all writers are "
                 "trusted; `kiln-agent stop` ends an agent that runs without";
  } else {
    tasks.why = fmt::format("{} has no leases, which a queue needs", store_->shown_url());
    tasks.help = "give the agent a Redis for them: KILN_REMOTE_LEASE=redis://HOST, or `kiln-agent --lease "
                 "redis://HOST`; `kiln-agent stop` ends an agent that runs without";
  }
  return tasks;
}

Result<void> JobHub::take(uint64_t worker, const AgentTake &request, Done done) {
  if (workers_[worker].is_asking) return input_error("a request for jobs before the reply to the last one");
  if (workers_[worker].num_held + request.num_wanted > max_held)
    return input_error(fmt::format("a worker that asks for more than {} jobs", max_held));
  workers_[worker].is_asking = true;
  const uint64_t nonce = random_();
  auto ended = [this, alive = alive_, worker, request, nonce, done = std::move(done)](AgentTasks tasks) {
    if (!*alive) return;
    tasks.number = request.number;
    if (const auto found = workers_.find(worker); found != workers_.end()) found->second.is_asking = false;
    if (tasks.outcome == AgentTasks::Outcome::Answered) on_taken(worker, request, nonce, tasks.states);
    counters_.errors += tasks.outcome == AgentTasks::Outcome::Failed;
    done(tasks);
  };
  if (!server_) {
    loop_.defer([ended, tasks = unusable()] { ended(tasks); });
    return {};
  }
  server_->take(request, nonce,
                [ended, count = request.jobs.size()](const std::optional<std::string> &reply) {
                  AgentTasks tasks;
                  if (reply == JobServer::other_list)
                    tasks.outcome = AgentTasks::Outcome::OtherList;
                  else if (reply && reply->size() == count)
                    tasks = {.outcome = AgentTasks::Outcome::Answered, .states = *reply};
                  ended(std::move(tasks));
                });
  return {};
}

void JobHub::on_taken(uint64_t worker, const AgentTake &request, uint64_t nonce, std::string_view states) {
  const auto asker = workers_.find(worker);
  for (size_t i = 0; i < states.size(); i++) {
    const TaskState state{states[i]};
    if (!is_taken(state)) continue;
    const HeldJob job{request.queue, request.jobs[i], nonce};
    counters_.taken++;
    counters_.returned += state == TaskState::Returned || state == TaskState::ReturnedLast;
    if (asker == workers_.end()) { // the worker ended before the reply came
      counters_.given_back++;
      server_->finish(job, std::nullopt);
      continue;
    }
    // Another worker of this node held the job for too long: take it away.
    if (const auto other = held_.find({job.queue, job.job}); other != held_.end()) {
      counters_.given_back++;
      forget(other);
    }
    held_[{job.queue, job.job}] = {
        .job = job, .worker = worker, .first_upload = store_->counters().uploads_taken};
    asker->second.num_held++;
  }
  watch_beats();
}

void JobHub::forget(std::map<Key, Held>::iterator held) {
  if (const auto worker = workers_.find(held->second.worker); worker != workers_.end())
    worker->second.num_held--;
  held_.erase(held);
}

void JobHub::finish(const AgentFinish &finish) {
  const auto found = held_.find({finish.queue, finish.job});
  // Another agent, which has ended, took the job. Its uploads may be lost, so leave the job to another
  // attempt.
  if (found == held_.end() || found->second.is_done()) return;
  Held &held = found->second;
  if (finish.outcome == AgentFinish::Outcome::Done) {
    if (const auto worker = workers_.find(held.worker); worker != workers_.end()) worker->second.num_held--;
    held.worker = 0;
    held.last_upload = store_->counters().uploads_taken;
    return watch_uploads();
  }
  (finish.outcome == AgentFinish::Outcome::Failed ? counters_.failed : counters_.given_back)++;
  server_->finish(held.job, finish.outcome);
  forget(found);
}

void JobHub::leave(uint64_t worker) {
  workers_.erase(worker);
  std::erase_if(held_, [&](const auto &each) {
    if (each.second.worker != worker) return false;
    counters_.given_back++;
    server_->finish(each.second.job, std::nullopt);
    return true;
  });
}

/// Marks finished jobs as done at the server, once their uploads have ended. If the agent dies before that,
/// another worker runs these jobs again.
void JobHub::watch_uploads() {
  bool waits = false;
  std::erase_if(held_, [&](const auto &each) {
    const Held &held = each.second;
    if (!held.is_done()) return false;
    if (store_->has_pending_upload(held.last_upload)) {
      waits = true;
      return false;
    }
    const bool is_lost = store_->has_lost_upload(held.first_upload);
    (is_lost ? counters_.given_back : counters_.done)++;
    server_->finish(held.job, is_lost ? AgentFinish::Outcome::Retry : AgentFinish::Outcome::Done);
    return true;
  });
  if (waits && upload_timer_ == 0)
    upload_timer_ = loop_.after(upload_check, [this] {
      upload_timer_ = 0;
      watch_uploads();
    });
}

void JobHub::watch_beats() {
  if (beat_timer_ != 0 || held_.empty()) return;
  beat_timer_ = loop_.after(JobServer::beat, [this] {
    beat_timer_ = 0;
    renew();
    watch_beats();
  });
}

/// Renews all held jobs at the server, by one command per queue. A worker that has lost its job continues:
/// its artifacts are equally valid.
void JobHub::renew() {
  std::map<std::string, std::vector<HeldJob>> queues;
  for (const auto &[key, held] : held_)
    if (!held.has_expired) queues[key.first].push_back(held.job);
  for (const auto &[queue, jobs] : queues)
    server_->renew(jobs, [this, alive = alive_, jobs = jobs](const std::optional<std::string> &reply) {
      if (!*alive) return;
      if (!reply || reply->size() != jobs.size()) {
        counters_.errors++;
        return;
      }
      for (size_t i = 0; i < jobs.size(); i++) {
        const auto found = held_.find({jobs[i].queue, jobs[i].job});
        if ((*reply)[i] == '1' || found == held_.end() || found->second.job.nonce != jobs[i].nonce) continue;
        found->second.has_expired = true;
        counters_.expired++;
      }
    });
}

std::string JobHub::report() const {
  const JobCounters &c = counters_;
  const std::pair<std::string_view, uint64_t> numbers[] = {
      {"taken", c.taken},     {"done", c.done},         {"failed", c.failed},   {"given_back", c.given_back},
      {"held", held_.size()}, {"returned", c.returned}, {"expired", c.expired}, {"errors", c.errors},
  };
  std::string out = fmt::format(R"({{"in_fleet":{})", server_ != nullptr);
  for (const auto &[name, value] : numbers) out += fmt::format(R"(,"{}":{})", name, value);
  return out + "}";
}

} // namespace kiln
