// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The agent's Unix socket: one agent per path. It never removes another agent's socket.
#pragma once

#include "event_loop.h"

#include <optional>
#include <string>
#include <sys/types.h>

namespace kiln {

class AgentSocket {
public:
  /// Listens at `path`, and replaces the socket of a killed agent. Empty: another agent uses the path.
  /// Errors: those of check_agent_folder(); Usage if the path is too long; Machine.
  static Result<std::optional<AgentSocket>> listen(const std::string &path);
  AgentSocket(AgentSocket &&) = default;
  ~AgentSocket();

  int descriptor() const { return socket_.get(); }
  bool is_own() const; ///< the file at the path is this socket
  void close();        ///< removes its own file and stops listening; still keeps other agents out
  /// Accepts the next connection. -1: none, with errno. Closes connections of other users.
  OwnedDescriptor accept() const;

private:
  AgentSocket(std::string path, OwnedDescriptor lock, OwnedDescriptor socket)
      : path_(std::move(path)), lock_(std::move(lock)), socket_(std::move(socket)) {}

  std::string path_;
  OwnedDescriptor lock_; ///< of path_ + ".lock": held while the agent lives
  OwnedDescriptor socket_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

} // namespace kiln
