// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "protocol.h"

#include <workers/workers.h>

#include <chrono>
#include <memory>

namespace kiln {

/// A connection to the agent. Used by one thread at a time. Drop the object after an error. A forked child
/// neither reads nor writes its parent's connections.
class AgentConnection {
public:
  using Clock = std::chrono::steady_clock;

  /// Connects and sends the greeting. Requests may follow at once. Errors (Machine): no agent listens; the
  /// folder or the listener belongs to another user. `error`: errno of connect(), 0 for other faults.
  static Result<std::unique_ptr<AgentConnection>> open(const std::string &socket_path,
                                                       const AgentHello &hello, int &error);
  ~AgentConnection();
  AgentConnection(const AgentConnection &) = delete;
  AgentConnection &operator=(const AgentConnection &) = delete;

  /// The agent's welcome. Empty: not received yet.
  const std::optional<AgentWelcome> &welcome() const { return welcome_; }
  uint64_t next_number() { return ++number_; }
  Result<void> send(AgentMessage type, std::string_view payload, Clock::time_point until);
  /// Receives the next message after the welcome. No value: none by `until`, or the welcome has just arrived.
  /// Errors (Machine) include: the agent refuses this session, or is of another version.
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
