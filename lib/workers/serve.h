// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Main loop of a worker program. It reads requests from its socket, one at a time, until the parent is gone.
#pragma once

#include "process.h"

#include <functional>

namespace kiln {

struct WorkerService {
  std::string build; ///< digest of this program; the library must be of the same build
  /// Called once, before the first request.
  std::function<Result<void>(const WorkerHello &hello)> begin;
  /// Handles a request. Must not throw.
  std::function<Message(const Message &request)> work;
  /// Called before a reply. Returns true if the process should end because it is damaged (out of memory).
  std::function<bool()> is_spent;
  /// Called when the parent is gone, on a thread of its own. Ends the process and its children, also in the
  /// middle of `work`.
  std::function<void()> orphaned;
};

/// Returns when the other side closes the socket, or after a fatal fault. Errors: Usage if `descriptor` is no
/// socket (the program was started by hand); Machine if the other side is of another build or sends invalid
/// messages.
Result<void> serve_worker(int descriptor, const WorkerService &service);

} // namespace kiln
