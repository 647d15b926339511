// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue_connection.h"

#include <thread>

namespace kiln {

namespace {

using Clock = AgentConnection::Clock;

constexpr std::chrono::milliseconds queue_start_limit{3'000}, queue_reply_limit{3'000}, queue_retry_pause{20};

} // namespace

/// Connects to the agent, and retries for a while, since an agent that was just started does not listen yet.
Result<void> QueueConnection::connect() {
  if (connection_) return {};
  const AgentHello hello{.build = options_.build, .remotes = options_.remotes};
  int error = 0;
  auto opened = AgentConnection::open(options_.socket_path, hello, error);
  if (!opened.ok() && !options_.program.empty()) {
    const AgentClient starter(options_);
    for (const auto until = Clock::now() + queue_start_limit; !opened.ok() && Clock::now() < until;) {
      std::this_thread::sleep_for(queue_retry_pause);
      opened = AgentConnection::open(options_.socket_path, hello, error);
    }
  }
  KILN_TRY(connection_, std::move(opened));
  return {};
}

Result<AgentTasks> QueueConnection::request(const AgentTake &take) {
  KILN_CHECK(connect());
  const auto until = Clock::now() + queue_reply_limit;
  AgentTake sent = take;
  sent.number = connection_->next_number();
  KILN_CHECK(connection_->send(AgentMessage::Take, payload_of(sent), until));
  for (;;) {
    KILN_TRY(const std::optional<Message> message, connection_->receive(until));
    if (!message && Clock::now() < until) continue; // the greeting
    if (!message) return machine_error("the cache agent does not answer in time");
    if (message->type != uint32_t(AgentMessage::Tasks))
      return machine_error("the cache agent gives no answer to a request for jobs");
    KILN_TRY(AgentTasks tasks, read_agent_tasks(message->payload));
    if (tasks.number == sent.number) return tasks;
  }
}

Result<std::string> QueueConnection::take(std::span<const Fingerprint> jobs, uint32_t num_wanted,
                                          std::chrono::seconds limit) {
  auto tasks = request({.number = 0,
                        .queue = queue_,
                        .list = list_,
                        .limit_s = uint32_t(limit.count()),
                        .num_wanted = num_wanted,
                        .jobs = {jobs.begin(), jobs.end()}});
  if (!tasks.ok()) {
    connection_.reset();
    return tasks.take_error();
  }
  switch (tasks->outcome) {
  case AgentTasks::Outcome::Answered:
    if (tasks->states.size() == jobs.size()) return std::move(tasks->states);
    [[fallthrough]];
  case AgentTasks::Outcome::Failed: return machine_error("the server of the queue does not answer");
  case AgentTasks::Outcome::OtherList:
    return make_error(
        ErrorCode::Usage,
        fmt::format("the queue `{}` has another list of jobs: other jobs, other contents of "
                    "their files, or another build of Kiln",
                    queue_),
        {},
        "give each list a queue of its own, for example with the commit in its name; a queue is "
        "forgotten an hour after its last job");
  case AgentTasks::Outcome::Unusable: break;
  }
  return make_error(ErrorCode::Usage, tasks->why, {}, tasks->help);
}

void QueueConnection::finish(const Fingerprint &job, AgentFinish::Outcome outcome) {
  const std::string payload = payload_of(AgentFinish{.queue = queue_, .job = job, .outcome = outcome});
  if (connection_ && !connection_->send(AgentMessage::Finish, payload, Clock::now() + queue_reply_limit).ok())
    connection_.reset();
}

} // namespace kiln
