// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a worker program runs: it reads pieces of work from its socket, one after the other, until who started
// it is gone.
#pragma once

#include "process.h"

#include <functional>

namespace kiln {

struct WorkerService {
  std::string build; ///< digest of this program: work is taken from a library of the same build alone
  /// Called once, before any work.
  std::function<Result<void>(const WorkerHello &hello)> begin;
  /// One piece of work. Must not throw.
  std::function<Message(const Message &request)> work;
  /// Before a reply: whether this process had better end, for it is not as it was (out of memory).
  std::function<bool()> is_spent;
  /// Who started it is gone, and nobody wants what it does: ends the process and what it started, in the
  /// middle of whatever `work` is about. Called on a thread of its own.
  std::function<void()> orphaned;
};

/// Returns when the other side closes the socket, or where it had to give up. Errors: Usage where
/// `descriptor` is no socket (somebody started the program by hand), Machine where the other side is of
/// another build or says what nobody can read.
Result<void> serve_worker(int descriptor, const WorkerService &service);

} // namespace kiln
