// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace kiln {

/// Runs what it is given, one after the other, on a thread of its own that the first work starts.
/// Thread-safe. The destructor waits until all is done.
class Publisher {
public:
  ~Publisher();
  void run(std::function<void()> work);
  void flush(); ///< until all that was given before is done

private:
  void loop();
  std::mutex mutex_;
  std::condition_variable more_, done_;
  std::deque<std::function<void()>> waiting_;
  size_t under_way_ = 0;
  bool ends_ = false;
  std::thread thread_;
};

} // namespace kiln
