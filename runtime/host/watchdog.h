// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace kiln {

/// Sets flags when their time limits end. Its thread starts with the first flag. Thread-safe.
class Watchdog {
public:
  ~Watchdog();

  /// Sets the flag after `limit`, unless the guard is destroyed earlier.
  class Guard {
  public:
    Guard(Watchdog &dog, std::chrono::nanoseconds limit, std::atomic<uint32_t> &flag);
    ~Guard();
    Guard(const Guard &) = delete;
    Guard &operator=(const Guard &) = delete;

  private:
    Watchdog &dog_;
    std::atomic<uint32_t> &flag_;
  };

private:
  using Clock = std::chrono::steady_clock;
  struct Entry {
    Clock::time_point at;
    std::atomic<uint32_t> *flag;
  };
  void watch();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Entry> entries_;
  bool ended_ = false;
  std::thread thread_;
};

} // namespace kiln
