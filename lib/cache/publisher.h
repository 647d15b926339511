// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace kiln {

/// Runs functions in the background. One thread, started by the first function, runs them in order. If it
/// falls behind, up to four threads run them in any order. Writing a small file takes about 50 us, and 16
/// compiling threads make 15,000 files a second. Thread-safe. The destructor waits for all functions.
class Publisher {
public:
  ~Publisher();
  void run(std::function<void()> work);
  void flush(); ///< waits for all earlier work

private:
  static constexpr size_t max_threads = 4, far_behind = 64;
  void loop();
  std::mutex mutex_;
  std::condition_variable more_, done_;
  std::deque<std::function<void()>> waiting_;
  size_t under_way_ = 0;
  bool ends_ = false;
  std::vector<std::thread> threads_;
};

} // namespace kiln
