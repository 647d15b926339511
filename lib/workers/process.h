// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worker process, from start to end. Its start does not disturb the embedder's process. posix_spawn runs
// none of the embedder's fork handlers. In the worker, all signals have their default action and none is
// blocked. The worker inherits only the descriptors that it needs. It has its own process group: its children
// (ptxas) end with it, and a Ctrl-C at the terminal reaches only the embedder. Kiln waits for the worker's
// process number, never for "any child".
#pragma once

#include "message.h"

#include <chrono>
#include <memory>
#include <mutex>

namespace kiln {

/// Number of the descriptor that is the socket in a worker process.
inline constexpr int worker_descriptor = 3;

struct WorkerOptions {
  std::string program; ///< run as `program worker`
  WorkerHello hello;
  /// Maximum time until a worker sends Welcome. A program that is no worker may never answer.
  std::chrono::milliseconds start_limit{30'000};
  /// Maximum time without a message from a working worker. The worker sends Alive ten times as often. 0: no
  /// limit.
  std::chrono::milliseconds silence_limit{30'000};
};

/// A worker process. Used by one thread at a time, except kill(). In a forked child, the destructor only
/// closes descriptors.
class WorkerProcess {
public:
  /// Starts the process and waits for its welcome. Errors: Machine "WorkerError" with the process's last
  /// output (the program is missing, not executable, no worker, or of another build); those of
  /// check_cancellation().
  static Result<std::unique_ptr<WorkerProcess>> start(const WorkerOptions &options);
  ~WorkerProcess(); ///< kills the process and waits for its end
  WorkerProcess(const WorkerProcess &) = delete;
  WorkerProcess &operator=(const WorkerProcess &) = delete;

  /// Sends `request` and waits for the reply. Errors: Machine "WorkerError" with the exit status or signal,
  /// and its last output; those of check_cancellation(); DeadlineExceeded if the reply takes longer than
  /// `limit` (0: none). A cancellation and an exceeded deadline kill the process. Do not use the object after
  /// an error.
  Result<Message> exchange(const Message &request, std::chrono::nanoseconds limit = {});
  /// Returns true if the process runs and is silent. False: it has ended, or has sent an unexpected message.
  /// Does not wait.
  bool is_idle() const;
  bool is_last_reply() const { return last_reply_; } ///< the process announced its end in the last exchange
  /// Kills the process and its children at once. Thread-safe. An exchange in progress returns.
  void kill();
  int64_t process() const { return process_; }

private:
  explicit WorkerProcess(const WorkerOptions &options);
  Result<void> spawn();
  Result<void> send(const Message &message);
  Result<Message> receive(std::chrono::milliseconds silence_limit);
  /// Waits until the socket is readable or writable. Errors: those of exchange().
  Result<void> wait_for(short events, std::chrono::steady_clock::time_point silent_until);
  void read_last_words();
  Error ended(std::string_view what); ///< makes the error of a failed exchange, after the process has ended
  /// Waits for the end of the process; kills it after `patience`.
  void reap(std::chrono::milliseconds patience);
  bool reap_now(); ///< true: it has ended

  const WorkerOptions options_;
  const uint64_t owner_; ///< process_token()
  /// `handle_`: pidfd of the process; -1 if the system lacks pidfds.
  int socket_ = -1, words_ = -1, handle_ = -1;
  int64_t process_ = -1;
  MessageReader reader_;
  std::string last_words_;
  bool is_ready_ = false, last_reply_ = false;
  std::chrono::steady_clock::time_point exchange_until_ = std::chrono::steady_clock::time_point::max();
  std::mutex mutex_; ///< guards the fields below
  bool reaped_ = false;
  int status_ = -1; ///< from waitpid; -1: unknown
};

/// Returns true if nobody has waited yet for the process of this pidfd, so that its number is still valid.
bool signal_is_possible(int handle);

/// Machine "WorkerError".
Error worker_error(std::string message, std::string hint = {});

} // namespace kiln
