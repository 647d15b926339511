// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads that compile what nobody waits for on a thread of its own, and the clock of deadlines.
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

/// Thread-safe. Its threads start with the first work, take no signals of the program's, and end with it.
class CompileQueue {
public:
  /// Is called once: with true on a thread of the queue, or with false, by close(), for what never began.
  using Work = std::function<void(bool run)>;

  explicit CompileQueue(unsigned threads); ///< 0: one a core
  ~CompileQueue() { close(); }
  unsigned threads() const { return threads_; }
  /// Of two that wait the one of higher priority is taken, of equal ones the first that came. After close()
  /// it is dropped at once.
  void add(int priority, Work work);
  /// Calls expired() on a thread of the queue's own once the time has come, unless close() comes first. It
  /// must be quick.
  void at(Cancellation::Clock::time_point time, std::function<void()> expired);
  /// Drops what has not begun and waits for what has. Not from one of its threads.
  void close();
  /// Whether the calling thread is one of this queue's, which waits for no other work of it.
  bool is_inside() const;

private:
  void loop();
  void watch();
  const unsigned threads_;
  std::mutex mutex_; ///< of what follows
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
