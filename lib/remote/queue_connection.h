// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "agent_client.h"

#include <span>

namespace kiln {

/// A worker's connection to a queue of jobs, through the agent of its node. The destructor releases the jobs
/// that the worker holds. Used by one thread at a time.
class QueueConnection {
public:
  QueueConnection(AgentClientOptions options, std::string queue, const Fingerprint &list)
      : options_(std::move(options)), queue_(std::move(queue)), list_(list) {}

  /// Takes up to `num_wanted` of the jobs, in their order. At most max_jobs_of_take jobs. Takes over a job
  /// that another worker holds for longer than `limit`. Returns a TaskState for each job. Errors: Usage (the
  /// store has no queues, or the queue has another list of jobs); Machine (agent or server does not answer
  /// now).
  Result<std::string> take(std::span<const Fingerprint> jobs, uint32_t num_wanted,
                           std::chrono::seconds limit);
  /// Reports the end of a job. If the report does not reach the agent, another worker repeats the job.
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
