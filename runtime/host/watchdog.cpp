// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "watchdog.h"

#include <algorithm>

namespace kiln {

Watchdog::~Watchdog() {
  {
    std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

Watchdog::Guard::Guard(Watchdog &dog, std::chrono::nanoseconds limit, std::atomic<uint32_t> &flag)
    : dog_(dog), flag_(flag) {
  Clock::time_point now = Clock::now(), far = Clock::time_point::max();
  {
    std::lock_guard lock(dog_.mutex_);
    dog_.entries_.push_back({limit < far - now ? now + limit : far, &flag});
    if (!dog_.thread_.joinable()) dog_.thread_ = std::thread([&dog] { dog.watch(); });
  }
  dog_.changed_.notify_all();
}

Watchdog::Guard::~Guard() {
  std::lock_guard lock(dog_.mutex_); // afterwards the watchdog thread does not access the flag
  std::erase_if(dog_.entries_, [&](const Entry &entry) { return entry.flag == &flag_; });
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    Clock::time_point now = Clock::now(), next = Clock::time_point::max();
    for (const Entry &entry : entries_) {
      if (entry.at <= now)
        entry.flag->store(1, std::memory_order_relaxed);
      else
        next = std::min(next, entry.at);
    }
    std::erase_if(entries_, [&](const Entry &entry) { return entry.at <= now; });
    if (next == Clock::time_point::max())
      changed_.wait(lock);
    else
      changed_.wait_until(lock, next);
  }
}

} // namespace kiln
