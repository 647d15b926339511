// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile_queue.h"

#include <support/signals.h>
#include <support/thread_name.h>

#include <algorithm>

namespace kiln {

namespace {

thread_local const CompileQueue *queue_of_thread = nullptr;

} // namespace

CompileQueue::CompileQueue(unsigned threads)
    : threads_(threads ? threads : std::max(1u, std::thread::hardware_concurrency())) {}

bool CompileQueue::is_inside() const { return queue_of_thread == this; }

void CompileQueue::add(int priority, Work work) {
  {
    std::lock_guard lock(mutex_);
    if (!closed_) {
      waiting_[priority].push_back(std::move(work));
      if (idle_ < ++waiting_count_ && workers_.size() < threads_) workers_.emplace_back([this] { loop(); });
      more_.notify_one();
      return;
    }
  }
  work(false);
}

void CompileQueue::loop() {
  name_this_thread("kiln compile");
  block_signals_of_thread();
  queue_of_thread = this;
  std::unique_lock lock(mutex_);
  for (;;) {
    idle_++;
    more_.wait(lock, [&] { return closed_ || waiting_count_; });
    idle_--;
    if (closed_) return;
    auto first = waiting_.begin();
    Work work = std::move(first->second.front());
    first->second.pop_front();
    if (first->second.empty()) waiting_.erase(first);
    waiting_count_--;
    lock.unlock();
    work(true);
    work = nullptr; // destroys the captures of `work` while the lock is not held
    lock.lock();
  }
}

void CompileQueue::at(Cancellation::Clock::time_point time, std::function<void()> expired) {
  std::lock_guard lock(mutex_);
  if (closed_) return;
  deadlines_.emplace(time, std::move(expired));
  if (!watcher_.joinable()) watcher_ = std::thread([this] { watch(); });
  clock_.notify_one();
}

void CompileQueue::watch() {
  block_signals_of_thread();
  queue_of_thread = this;
  std::unique_lock lock(mutex_);
  while (!closed_) {
    if (deadlines_.empty()) {
      clock_.wait(lock);
      continue;
    }
    const auto next = deadlines_.begin()->first;
    if (Cancellation::Clock::now() < next) {
      clock_.wait_until(lock, next);
      continue;
    }
    std::function<void()> expired = std::move(deadlines_.begin()->second);
    deadlines_.erase(deadlines_.begin());
    lock.unlock();
    expired();
    expired = nullptr;
    lock.lock();
  }
}

void CompileQueue::close() {
  decltype(waiting_) dropped;
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    std::swap(dropped, waiting_);
    waiting_count_ = 0;
  }
  more_.notify_all();
  clock_.notify_all();
  for (auto &[priority, works] : dropped)
    for (Work &work : works) work(false);
  for (std::thread &worker : workers_)
    if (worker.joinable()) worker.join();
  if (watcher_.joinable()) watcher_.join();
}

} // namespace kiln
