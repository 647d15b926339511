// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The agent's Unix socket. Only one agent listens at a path, and none removes the socket of another.
#pragma once

#include "event_loop.h"

#include <optional>
#include <string>
#include <sys/types.h>

namespace kiln {

class AgentSocket {
public:
  /// Listens at `path`, and replaces a socket that a killed agent left. Empty: another agent listens there.
  /// Errors: those of check_agent_folder(); Usage if the path is too long; Machine.
  static Result<std::optional<AgentSocket>> listen(const std::string &path);
  AgentSocket(AgentSocket &&) = default;
  ~AgentSocket();

  int descriptor() const { return socket_.get(); }
  bool is_own() const; ///< true if the file at the path is still this socket
  /// Stops listening and removes the socket's file; the lock is kept, so that no other agent starts.
  void close();
  /// Accepts the next connection of this user, and closes those of other users. -1: there is none, or an
  /// error, with errno.
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
