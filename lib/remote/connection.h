// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "protocol.h"

#include <workers/workers.h>

#include <chrono>
#include <memory>

namespace kiln {

/// A connection to the agent. Used by one thread at a time. After an error, the caller must destroy it. A
/// forked child neither reads nor writes the connections of its parent.
class AgentConnection {
public:
  using Clock = std::chrono::steady_clock;

  /// Connects and sends the greeting. Requests may follow at once. Errors (Machine): no agent listens; the
  /// folder or the listener belongs to another user. `error` is set to the errno of connect(), or 0 for other
  /// faults.
  static Result<std::unique_ptr<AgentConnection>> open(const std::string &socket_path,
                                                       const AgentHello &hello, int &error);
  ~AgentConnection();
  AgentConnection(const AgentConnection &) = delete;
  AgentConnection &operator=(const AgentConnection &) = delete;

  /// The greeting that the agent sent. Empty: it has not arrived yet.
  const std::optional<AgentWelcome> &welcome() const { return welcome_; }
  uint64_t next_number() { return ++number_; }
  Result<void> send(AgentMessage type, std::string_view payload, Clock::time_point until);
  /// Receives the next message after the agent's greeting. No value: none came by `until`, or the greeting
  /// has just arrived. Errors (Machine): those of the socket; the agent refuses this session, or has another
  /// version.
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
