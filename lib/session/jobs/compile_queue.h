// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Background threads for compiles, and a thread that expires deadlines.
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

/// Priority queue of work for background threads. Thread-safe. The threads start with the first work, end
/// with the queue, and block all signals.
class CompileQueue {
public:
  /// A piece of work. It is called once: with true on a thread of the queue, or with false by close() if it
  /// was never started.
  using Work = std::function<void(bool run)>;

  explicit CompileQueue(unsigned threads); ///< 0: one per core
  ~CompileQueue() { close(); }
  unsigned threads() const { return threads_; }
  /// Adds work. Higher priorities run first; equal priorities run in order of arrival. After close(), calls
  /// work(false) at once.
  void add(int priority, Work work);
  /// Calls expired() at `time` on the deadline thread of the queue, unless close() is called before.
  /// `expired` must return quickly.
  void at(Cancellation::Clock::time_point time, std::function<void()> expired);
  /// Calls pending work with false and waits for running work. Do not call it on a thread of the queue.
  void close();
  /// Returns true on threads of this queue. Such threads must not wait for other work of the queue.
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
