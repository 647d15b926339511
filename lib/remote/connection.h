// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "protocol.h"

#include <workers/workers.h>

#include <chrono>
#include <memory>

namespace kiln {

/// One connection to the agent. Used by one thread at a time. An error ends it: the object is dropped. A
/// process that fork() made neither reads nor writes its parent's connections.
class AgentConnection {
public:
  using Clock = std::chrono::steady_clock;

  /// Connects and sends the greeting. Requests may follow at once. Errors (Machine): nobody listens; the
  /// folder or the listener belongs to another user. `error`: of the system's connect(), 0 for other faults.
  static Result<std::unique_ptr<AgentConnection>> open(const std::string &socket_path,
                                                       const AgentHello &hello, int &error);
  ~AgentConnection();
  AgentConnection(const AgentConnection &) = delete;
  AgentConnection &operator=(const AgentConnection &) = delete;

  /// The agent's welcome; nothing: it has not come yet.
  const std::optional<AgentWelcome> &welcome() const { return welcome_; }
  uint64_t next_number() { return ++number_; }
  Result<void> send(AgentMessage type, std::string_view payload, Clock::time_point until);
  /// The next message after the welcome; no value: none has come by `until`, or the welcome has just come.
  /// Errors (Machine) too: the agent refuses this session, or is of another version.
  Result<std::optional<Message>> receive(Clock::time_point until);

private:
  explicit AgentConnection(int socket) : socket_(socket), owner_(process_token()) {}
  Result<void> take_welcome(const Message &message);
  Result<bool> wait_for(short events, Clock::time_point until); ///< false: not by `until`
  const int socket_;
  const uint64_t owner_;
  MessageReader reader_;
  std::optional<AgentWelcome> welcome_;
  uint64_t number_ = 0;
};

} // namespace kiln
