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
  uint64_t failed = 0;               ///< of them, ended by a fault of their own or killed
};

/// Thread-safe. Processes are started as threads ask for them, `limit` at most, and stay for the next who
/// asks.
class ProcessPool {
public:
  ProcessPool(WorkerOptions options, unsigned limit)
      : options_(std::move(options)), limit_(limit ? limit : 1) {}
  /// Ends all of them. No call may be under way. In a child of the process that made it, it does nothing.
  ~ProcessPool() = default;

  /// Where threads that wait for a process show; before the first call. `timer` outlives this.
  void set_timer(Timer *timer) { timer_ = timer; }
  /// One piece of work, done by a process of which nobody else has anything meanwhile; waits for one where
  /// all have work. A process that fails is replaced for the next call. Errors: as WorkerProcess::start and
  /// exchange. `limit`: of the exchange, without the wait for a process.
  Result<Message> call(const Message &request, std::chrono::nanoseconds limit = {});
  const WorkerOptions &options() const { return options_; }
  unsigned limit() const { return limit_; }
  PoolCounters counters() const;
  std::vector<int64_t> processes() const; ///< numbers of those that wait for work

private:
  /// A process, or null where one has to be started; it counts as working from here on.
  Result<std::unique_ptr<WorkerProcess>> acquire();
  void release(std::unique_ptr<WorkerProcess> worker); ///< null: there is none to be kept

  const WorkerOptions options_;
  const unsigned limit_;
  Timer *timer_ = nullptr;
  mutable std::mutex mutex_; ///< of what follows
  std::condition_variable given_back_;
  std::vector<std::unique_ptr<WorkerProcess>>
      idle_; ///< the last one used is the first one lent: its data is warm
  unsigned working_ = 0;
  uint64_t started_ = 0, failed_ = 0;
};

} // namespace kiln
