// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <support/support.h>

#include <chrono>

namespace kiln {

/// Starts an agent by a process that ends once the agent listens. Used by one thread at a time.
class AgentStarter {
public:
  using Clock = std::chrono::steady_clock;
  AgentStarter() = default;
  ~AgentStarter(); ///< waits up to 50 ms after the start, then kills the starting process
  AgentStarter(const AgentStarter &) = delete;
  AgentStarter &operator=(const AgentStarter &) = delete;

  /// Runs `program serve --background --socket PATH` in a session of its own, with default signals and no
  /// open descriptors. Error (Machine): the program cannot be run.
  Result<void> start(const std::string &program, const std::string &socket_path);
  /// Waits up to `limit` until the starting process has ended. Returns false if it still runs. Errors
  /// (Machine): it failed, or it ran for 2 s and was killed.
  Result<bool> wait(std::chrono::milliseconds limit);
  bool is_running() const { return process_ >= 0; }                    ///< as seen by the last wait()
  Clock::time_point end_of_wait() const { return began_ + end_limit; } ///< of the destructor

private:
  static constexpr std::chrono::milliseconds end_limit{50};
  bool has_ended(std::chrono::milliseconds limit);
  void kill();
  std::string program_;
  int64_t process_ = -1; ///< -1: none
  int handle_ = -1;      ///< its pidfd; -1: none
  int status_ = 0;
  Clock::time_point began_{};
};

} // namespace kiln
