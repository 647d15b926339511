// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace kiln {

/// Runs what it is given on a thread of its own that the first work starts, one after the other; on up to
/// four, in any order, while that one falls behind: writing a small file takes some 50 us, and 16 threads
/// that compile ask for 15,000 a second. Thread-safe. The destructor waits until all is done.
class Publisher {
public:
  ~Publisher();
  void run(std::function<void()> work);
  void flush(); ///< until all that was given before is done

private:
  static constexpr size_t most_threads = 4, far_behind = 64;
  void loop();
  std::mutex mutex_;
  std::condition_variable more_, done_;
  std::deque<std::function<void()>> waiting_;
  size_t under_way_ = 0;
  bool ends_ = false;
  std::vector<std::thread> threads_;
};

} // namespace kiln
