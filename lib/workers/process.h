// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One worker process, from start to end, as a guest in the embedder's process may have one: made by
// posix_spawn, which runs none of the embedder's handlers of fork; with all signals as they are by default,
// none blocked, and no descriptor but its own; in a process group of its own, so that what it starts (ptxas)
// ends with it, and a Ctrl-C at the terminal is the embedder's to handle. It is waited for by its own number,
// never by "any child".
#pragma once

#include "message.h"

#include <chrono>
#include <memory>
#include <mutex>

namespace kiln {

/// The descriptor of its socket in a worker process.
inline constexpr int worker_descriptor = 3;

struct WorkerOptions {
  std::string program; ///< run as `program worker`
  WorkerHello hello;
  /// That a worker may take until it says welcome: a program that is no worker may say nothing at all.
  std::chrono::milliseconds start_limit{30'000};
  /// That a worker at work may be silent; it says that it is alive ten times in that time. 0: for ever.
  std::chrono::milliseconds silence_limit{30'000};
};

/// Used by one thread at a time, but for kill(). In a child that fork() made of the process that started it,
/// it does nothing but let go of its descriptors.
class WorkerProcess {
public:
  /// Starts it and waits until it has said welcome. Errors: Machine "WorkerError" with what it said last (the
  /// program is missing or not executable, is none, is of another build); those of check_cancellation().
  static Result<std::unique_ptr<WorkerProcess>> start(const WorkerOptions &options);
  ~WorkerProcess(); ///< kills it and waits until it has ended
  WorkerProcess(const WorkerProcess &) = delete;
  WorkerProcess &operator=(const WorkerProcess &) = delete;

  /// Sends `request` and waits for the reply. Errors: Machine "WorkerError", with how it ended, which signal
  /// ended it, and what it said last; those of check_cancellation(), which kill it; DeadlineExceeded, which
  /// kills it too, if the reply takes longer than `limit` (0: none). After an error it is not used again.
  Result<Message> exchange(const Message &request, std::chrono::nanoseconds limit = {});
  /// False: it has ended, or said what nobody asked for. Waits for nothing.
  bool is_idle() const;
  bool is_last_reply() const { return last_reply_; } ///< it said that it ends after the last exchange
  /// Ends it and what it started, at once. Thread-safe; an exchange that waits for it returns.
  void kill();
  int64_t process() const { return process_; }

private:
  explicit WorkerProcess(const WorkerOptions &options);
  Result<void> spawn();
  Result<void> send(const Message &message);
  Result<Message> receive(std::chrono::milliseconds silence_limit);
  /// Waits until the descriptor can be read from or written to. Errors: as exchange().
  Result<void> wait_for(short events, std::chrono::steady_clock::time_point silent_until);
  void read_last_words();
  Error ended(std::string_view what); ///< the error of an exchange, after which there is no process
  /// Waits until it has ended, and kills it if it has not by then.
  void reap(std::chrono::milliseconds patience);
  bool reap_now(); ///< whether it has ended

  const WorkerOptions options_;
  const uint64_t owner_;                       ///< process_token()
  int socket_ = -1, words_ = -1, handle_ = -1; ///< handle_: a pidfd; -1 where the system has none
  int64_t process_ = -1;
  MessageReader reader_;
  std::string last_words_;
  bool is_ready_ = false, last_reply_ = false;
  std::chrono::steady_clock::time_point exchange_until_ = std::chrono::steady_clock::time_point::max();
  std::mutex mutex_; ///< of what follows
  bool reaped_ = false;
  int status_ = -1; ///< as waitpid tells it; -1: it is not known
};

/// Whether a pidfd stands for a process that nobody has waited for.
bool signal_is_possible(int handle);

/// Machine "WorkerError".
Error worker_error(std::string message, std::string hint = {});

} // namespace kiln
