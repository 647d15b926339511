// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The agent's end of its Unix socket: one agent per path, and never another's socket removed.
#pragma once

#include "event_loop.h"

#include <optional>
#include <string>
#include <sys/types.h>

namespace kiln {

class AgentSocket {
public:
  /// Listens at `path`, and replaces the socket of an agent that was killed. Nothing: another agent holds the
  /// path. Errors: those of check_agent_folder(); Usage where the path is too long; Machine.
  static Result<std::optional<AgentSocket>> listen(const std::string &path);
  AgentSocket(AgentSocket &&) = default;
  ~AgentSocket();

  int descriptor() const { return socket_.get(); }
  bool is_own() const; ///< whether the file at the path is this socket
  void close(); ///< removes the file if it is its own, and stops to listen; other agents are still kept out
  /// The next connection; -1: none waits, errno tells why. A connection of another user is closed.
  OwnedDescriptor accept() const;

private:
  AgentSocket(std::string path, OwnedDescriptor lock, OwnedDescriptor socket)
      : path_(std::move(path)), lock_(std::move(lock)), socket_(std::move(socket)) {}

  std::string path_;
  OwnedDescriptor lock_; ///< of path_ + ".lock": held as long as the agent lives
  OwnedDescriptor socket_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

} // namespace kiln
