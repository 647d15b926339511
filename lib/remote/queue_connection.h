// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "agent_client.h"

#include <span>

namespace kiln {

/// A worker's way to a queue of jobs, through the agent of its node. Its end gives back the jobs that it
/// holds. Used by one thread at a time.
class QueueConnection {
public:
  QueueConnection(AgentClientOptions options, std::string queue, const Fingerprint &list)
      : options_(std::move(options)), queue_(std::move(queue)), list_(list) {}

  /// Takes up to `num_wanted` of the jobs; their order is that in which they are taken. At most
  /// max_jobs_of_take jobs. A job that another worker holds for longer than `limit` is taken from it.
  /// Returns a TaskState for each. Errors: Usage: the store has no queues, or the queue has another list of
  /// jobs; Machine: agent or server does not answer now.
  Result<std::string> take(std::span<const Fingerprint> jobs, uint32_t num_wanted,
                           std::chrono::seconds limit);
  /// Reports the end of a job. If the agent does not hear it, another worker repeats the job.
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
