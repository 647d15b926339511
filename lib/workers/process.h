// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worker process, from start to end, made as a guest in the embedder's process. posix_spawn runs none of
// the embedder's fork handlers. All signals have their default action and none is blocked. The worker
// inherits no descriptor but its own. It has its own process group: its children (ptxas) end with it, and the
// embedder handles a Ctrl-C at the terminal. It is waited for by its number, never by "any child".
#pragma once

#include "message.h"

#include <chrono>
#include <memory>
#include <mutex>

namespace kiln {

/// Descriptor of the socket in a worker process.
inline constexpr int worker_descriptor = 3;

struct WorkerOptions {
  std::string program; ///< run as `program worker`
  WorkerHello hello;
  /// Maximum time until a worker's welcome. A program that is no worker may never answer.
  std::chrono::milliseconds start_limit{30'000};
  /// Maximum silence of a working worker, which reports ten times as often. 0: no limit.
  std::chrono::milliseconds silence_limit{30'000};
};

/// Used by one thread at a time, except kill(). In a forked child, the object only closes its descriptors.
class WorkerProcess {
public:
  /// Starts the process and waits for its welcome. Errors: Machine "WorkerError" with its last output (the
  /// program is missing, not executable, no worker, or of another build); those of check_cancellation().
  static Result<std::unique_ptr<WorkerProcess>> start(const WorkerOptions &options);
  ~WorkerProcess(); ///< kills it and waits for its end
  WorkerProcess(const WorkerProcess &) = delete;
  WorkerProcess &operator=(const WorkerProcess &) = delete;

  /// Sends `request` and waits for the reply. Errors: Machine "WorkerError" with the exit status or signal,
  /// and its last output; those of check_cancellation(); DeadlineExceeded if the reply takes longer than
  /// `limit` (0: none). The last two kill the process. Do not use it after an error.
  Result<Message> exchange(const Message &request, std::chrono::nanoseconds limit = {});
  /// False: it has ended, or has sent an unexpected message. Does not wait.
  bool is_idle() const;
  bool is_last_reply() const { return last_reply_; } ///< it announced its end after the last exchange
  /// Kills it and its children at once. Thread-safe. A waiting exchange returns.
  void kill();
  int64_t process() const { return process_; }

private:
  explicit WorkerProcess(const WorkerOptions &options);
  Result<void> spawn();
  Result<void> send(const Message &message);
  Result<Message> receive(std::chrono::milliseconds silence_limit);
  /// Waits until the descriptor is readable or writable. Errors: as exchange().
  Result<void> wait_for(short events, std::chrono::steady_clock::time_point silent_until);
  void read_last_words();
  Error ended(std::string_view what); ///< error of an exchange; the process is gone afterwards
  /// Waits for its end; kills it after `patience`.
  void reap(std::chrono::milliseconds patience);
  bool reap_now(); ///< true: it has ended

  const WorkerOptions options_;
  const uint64_t owner_;                       ///< process_token()
  int socket_ = -1, words_ = -1, handle_ = -1; ///< handle_: a pidfd; -1 if the system has none
  int64_t process_ = -1;
  MessageReader reader_;
  std::string last_words_;
  bool is_ready_ = false, last_reply_ = false;
  std::chrono::steady_clock::time_point exchange_until_ = std::chrono::steady_clock::time_point::max();
  std::mutex mutex_; ///< guards the fields below
  bool reaped_ = false;
  int status_ = -1; ///< from waitpid; -1: unknown
};

/// Returns true if a pidfd's process has not been waited for.
bool signal_is_possible(int handle);

/// Machine "WorkerError".
Error worker_error(std::string message, std::string hint = {});

} // namespace kiln
