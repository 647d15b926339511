// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the threads of a session's queue make that no call waits for, and whoever wants to wait for it.
#pragma once

#include <condition_variable>
#include <mutex>

namespace kiln {

/// Thread-safe.
class BackgroundWork {
public:
  void begin() {
    std::lock_guard lock(mutex_);
    under_way_++;
  }
  void end() {
    std::lock_guard lock(mutex_);
    if (--under_way_ == 0) done_.notify_all();
  }
  /// Until all that has begun has ended.
  void wait() {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return under_way_ == 0; });
  }

private:
  std::mutex mutex_; ///< of what follows
  std::condition_variable done_;
  unsigned under_way_ = 0;
};

} // namespace kiln
