// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code of a kernel that begins in its first tier: cheap to compile and slow to run. Optimised code replaces
// it while launches run, once the kernel is hot. Both codes must have equal results and the same interface.
#pragma once

#include "host_code.h"

#include <atomic>
#include <functional>
#include <utility>

namespace kiln {

/// Thread-safe. The owner keeps both codes loaded as long as this object lives.
class TieredCode {
public:
  /// Run time of first-tier code, summed over threads, after which a kernel is hot.
  static constexpr uint64_t hot_nanoseconds = 1'000'000;
  /// Maximum number of blocks in one call of first-tier code, so that a long launch can change its code.
  static constexpr uint64_t max_blocks_of_call = 16;

  explicit TieredCode(abi::NativeKernel first) : first_(first), kernel_(first) {}
  /// Sets the callback for a hot kernel. Call it before other threads see this object.
  void when_hot(std::function<void()> start) { start_ = std::move(start); }

  /// Order: the acquire pairs with the release in replace(), so that a caller of the better code sees all
  /// that its loader wrote. publish_code() has made the instructions themselves visible before replace().
  abi::NativeKernel kernel() const { return kernel_.load(std::memory_order_acquire); }
  bool is_first(abi::NativeKernel kernel) const { return kernel == first_; }
  /// Counts a call of first-tier code. Takes no lock. Relaxed: the sum orders nothing, and start() runs once
  /// because of its exchange.
  void ran(uint64_t nanoseconds) { nanoseconds_.fetch_add(nanoseconds, std::memory_order_relaxed); }
  /// True if the kernel is hot and start() has not been called. Takes no lock.
  bool wants_start() const {
    return nanoseconds_.load(std::memory_order_relaxed) >= hot_nanoseconds &&
           !is_started_.load(std::memory_order_relaxed);
  }
  /// Calls the callback, on the first call only. Call it outside of compiled code.
  void start() {
    if (!is_started_.exchange(true) && start_) start_();
  }
  /// Lets later calls run `better`. Returns false if the code was replaced before.
  bool replace(abi::NativeKernel better) {
    abi::NativeKernel expected = first_;
    return kernel_.compare_exchange_strong(expected, better, std::memory_order_release);
  }

private:
  const abi::NativeKernel first_;
  std::atomic<abi::NativeKernel> kernel_;
  std::atomic<uint64_t> nanoseconds_{0};
  std::atomic<bool> is_started_{false};
  std::function<void()> start_; ///< may be empty
};

} // namespace kiln
