// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <support/support.h>

#include <chrono>

namespace kiln {

/// A process that starts an agent, and ends when the agent listens. Used by one thread at a time.
class AgentStarter {
public:
  using Clock = std::chrono::steady_clock;
  AgentStarter() = default;
  ~AgentStarter(); ///< waits until 50 ms after the start, then kills a running process
  AgentStarter(const AgentStarter &) = delete;
  AgentStarter &operator=(const AgentStarter &) = delete;

  /// Runs `program serve --background --socket PATH`, with default signals, no descriptors and its own
  /// session. Error (Machine): it cannot be run.
  Result<void> start(const std::string &program, const std::string &socket_path);
  /// Waits at most `limit` for the process's end. False: it still runs. Errors (Machine): it failed, or ran
  /// for 2 s and was killed.
  Result<bool> wait(std::chrono::milliseconds limit);
  bool is_running() const { return process_ >= 0; } ///< at the time of the last wait()

private:
  bool has_ended(std::chrono::milliseconds limit);
  void kill();
  std::string program_;
  int64_t process_ = -1; ///< -1: none
  int handle_ = -1;      ///< its pidfd; -1: none
  int status_ = 0;
  Clock::time_point began_{};
};

} // namespace kiln
