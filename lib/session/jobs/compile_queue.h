// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Background threads for compiles, and the clock of deadlines.
#pragma once

#include <support/cancellation.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace kiln {

/// Thread-safe. Threads start with the first work, end with the queue, and block the program's signals.
class CompileQueue {
public:
  /// Called once: with true on a thread of the queue, or with false by close() if the work never began.
  using Work = std::function<void(bool run)>;

  explicit CompileQueue(unsigned threads); ///< 0: one per core
  ~CompileQueue() { close(); }
  unsigned threads() const { return threads_; }
  /// Adds work. Higher priority runs first; equal priorities run in order of arrival. After close(), drops
  /// the work at once.
  void add(int priority, Work work);
  /// Calls expired() at that time on the clock thread of the queue, unless close() comes first. It must
  /// return quickly.
  void at(Cancellation::Clock::time_point time, std::function<void()> expired);
  /// Drops pending work and waits for running work. Do not call it on a thread of the queue.
  void close();
  /// True on threads of this queue. They must not wait for other work of the queue.
  bool is_inside() const;

private:
  void loop();
  void watch();
  const unsigned threads_;
  std::mutex mutex_; ///< guards the following
  std::condition_variable more_, clock_;
  std::map<int, std::deque<Work>, std::greater<>> waiting_;
  size_t waiting_count_ = 0;
  std::multimap<Cancellation::Clock::time_point, std::function<void()>> deadlines_;
  std::vector<std::thread> workers_;
  std::thread watcher_;
  unsigned idle_ = 0;
  bool closed_ = false;
};

} // namespace kiln
