// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "agent_client.h"

#include <span>

namespace kiln {

/// A worker's connection to a queue of jobs, through the agent of its node. The destructor gives back the
/// jobs that the worker holds. Used by one thread at a time.
class QueueConnection {
public:
  QueueConnection(AgentClientOptions options, std::string queue, const Fingerprint &list)
      : options_(std::move(options)), queue_(std::move(queue)), list_(list) {}

  /// Requests up to `num_wanted` of the jobs, in their order, and returns a TaskState for each job. `jobs`
  /// has at most max_jobs_of_take elements. A job that another worker holds for longer than `limit` is taken
  /// over. Errors: Usage (the store has no queues, or the queue has another list of jobs); Machine (agent or
  /// server does not answer now).
  Result<std::string> take(std::span<const Fingerprint> jobs, uint32_t num_wanted,
                           std::chrono::seconds limit);
  /// Reports the end of a job. If the report does not reach the agent, another worker runs the job again.
  void finish(const Fingerprint &job, AgentFinish::Outcome outcome);

private:
  Result<void> connect();
  Result<AgentTasks> request(const AgentTake &take);
  const AgentClientOptions options_;
  const std::string queue_;
  const Fingerprint list_;
  std::unique_ptr<AgentConnection> connection_; ///< null: not connected
};

} // namespace kiln
