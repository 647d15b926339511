// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Main loop of a worker program. The loop reads requests from the socket, one at a time, until the parent
// process has ended.
#pragma once

#include "process.h"

#include <functional>

namespace kiln {

struct WorkerService {
  std::string build; ///< digest of this program's build; the parent's build must have the same
  /// Called once, with the settings, before the first request.
  std::function<Result<void>(const WorkerHello &hello)> begin;
  /// Handles a request and returns the reply. Must not throw.
  std::function<Message(const Message &request)> work;
  /// Called before each reply. Returns true if the process should end after the reply because it is damaged
  /// (out of memory).
  std::function<bool()> is_spent;
  /// Called on a thread of its own when the parent process has ended. Must end this process and its children,
  /// even during `work`.
  std::function<void()> orphaned;
};

/// Runs the loop. Returns when the other side closes the socket, or after a fatal fault. Errors: Usage if
/// `descriptor` is no socket (a user started the program); Machine if the other side is of another build or
/// sends invalid messages.
Result<void> serve_worker(int descriptor, const WorkerService &service);

} // namespace kiln
