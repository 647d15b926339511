// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The worker processes of a session.
#pragma once

#include "process.h"

#include <condition_variable>
#include <vector>

namespace kiln {

struct PoolCounters {
  unsigned running = 0, working = 0; ///< processes now
  uint64_t started = 0;              ///< since the pool was made
  uint64_t failed = 0;               ///< processes that crashed, were killed, or ended themselves as damaged
};

/// Worker processes of a session. Thread-safe. Starts at most `limit` processes, on demand, and keeps them
/// for later calls.
class ProcessPool {
public:
  ProcessPool(WorkerOptions options, unsigned limit)
      : options_(std::move(options)), limit_(limit ? limit : 1) {}
  /// Ends all processes. No call may be in progress. Does nothing in a forked child.
  ~ProcessPool() = default;

  /// Sets the timer that records waits for a free process. Call it before the first call(). `timer` must
  /// outlive the pool.
  void set_timer(Timer *timer) { timer_ = timer; }
  /// Sends one request to a free process, and waits for one if all are busy. A failed process is replaced at
  /// the next call. Errors: those of WorkerProcess::start and exchange. `limit`: maximum time of the
  /// exchange, without the wait for a process.
  Result<Message> call(const Message &request, std::chrono::nanoseconds limit = {});
  const WorkerOptions &options() const { return options_; }
  unsigned limit() const { return limit_; }
  PoolCounters counters() const;
  std::vector<int64_t> processes() const; ///< numbers of the idle processes

private:
  /// Takes an idle process, or returns null if the caller must start one. The process counts as working from
  /// this call on.
  Result<std::unique_ptr<WorkerProcess>> acquire();
  void release(std::unique_ptr<WorkerProcess> worker); ///< null: no process to keep

  const WorkerOptions options_;
  const unsigned limit_;
  Timer *timer_ = nullptr;
  mutable std::mutex mutex_; ///< guards the fields below
  std::condition_variable given_back_;
  std::vector<std::unique_ptr<WorkerProcess>> idle_; ///< a stack: the process used last has warm caches
  unsigned working_ = 0;
  uint64_t started_ = 0, failed_ = 0;
};

} // namespace kiln
