// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "publisher.h"

#include <support/signals.h>
#include <support/thread_name.h>

namespace kiln {

Publisher::~Publisher() {
  {
    std::lock_guard lock(mutex_);
    ends_ = true;
  }
  more_.notify_all();
  for (std::thread &thread : threads_) thread.join();
}

void Publisher::run(std::function<void()> work) {
  {
    std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(work));
    // Start another thread only if many entries wait, which happens when many threads compile.
    if (threads_.size() < max_threads && waiting_.size() > threads_.size() * far_behind)
      threads_.emplace_back([this] { loop(); });
  }
  more_.notify_one();
}

void Publisher::flush() {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return waiting_.empty() && under_way_ == 0; });
}

void Publisher::loop() {
  name_this_thread("kiln publish");
  block_signals_of_thread(); // so that a write past a file size limit (ulimit -f) fails with EFBIG
  std::unique_lock lock(mutex_);
  for (;;) {
    more_.wait(lock, [&] { return !waiting_.empty() || ends_; });
    if (waiting_.empty()) return;
    std::function<void()> work = std::move(waiting_.front());
    waiting_.pop_front();
    under_way_++;
    lock.unlock();
    work();
    work = nullptr; // destroy the captured objects before flush() returns
    lock.lock();
    under_way_--;
    if (waiting_.empty() && under_way_ == 0) done_.notify_all();
  }
}

} // namespace kiln
