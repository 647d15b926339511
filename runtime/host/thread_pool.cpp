// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "thread_pool.h"

#include <support/signals.h>

#include <algorithm>
#include <atomic>
#include <memory>

namespace kiln {

namespace {

/// State of one parallel_for. Helper threads that start late find no range left, and do not call the body.
struct Ranges {
  uint64_t count, chunk;
  void (*body)(void *, uint64_t, uint64_t);
  void *context;
  std::atomic<uint64_t> next{0};
  std::mutex mutex;
  std::condition_variable changed;
  uint64_t done = 0; ///< under the mutex

  void work() {
    for (uint64_t begin; (begin = next.fetch_add(chunk)) < count;) {
      const uint64_t end = std::min(count, begin + chunk);
      body(context, begin, end);
      std::lock_guard lock(mutex);
      done += end - begin;
      if (done == count) changed.notify_all();
    }
  }
};

} // namespace

ThreadPool::ThreadPool(unsigned threads)
    : threads_(threads ? threads : std::max(1u, std::thread::hardware_concurrency())) {}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(mutex_);
    ends_ = true;
  }
  more_.notify_all();
  for (std::thread &worker : workers_) worker.join();
}

void ThreadPool::add(std::function<void()> work) {
  std::lock_guard lock(mutex_);
  queue_.push_back(std::move(work));
  if (idle_ < queue_.size() && workers_.size() < threads_) workers_.emplace_back([this] { loop(); });
  more_.notify_one();
}

void ThreadPool::loop() {
  block_signals_of_thread();
  std::unique_lock lock(mutex_);
  for (;;) {
    idle_++;
    more_.wait(lock, [&] { return !queue_.empty() || ends_; });
    idle_--;
    if (queue_.empty()) return;
    std::function<void()> work = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    work();
    work = nullptr;
    lock.lock();
  }
}

void ThreadPool::parallel_for(uint64_t count, void (*body)(void *, uint64_t, uint64_t), void *context) {
  if (count == 0) return;
  constexpr uint64_t chunks_of_thread = 4; // more than one chunk per thread, since blocks take unequal times
  auto ranges = std::make_shared<Ranges>();
  ranges->count = count;
  ranges->chunk = std::max<uint64_t>(1, count / (chunks_of_thread * threads_));
  ranges->body = body;
  ranges->context = context;
  const uint64_t chunks = (count + ranges->chunk - 1) / ranges->chunk;
  for (uint64_t i = 1; i < std::min<uint64_t>(threads_, chunks); i++) add([ranges] { ranges->work(); });
  ranges->work();
  std::unique_lock lock(ranges->mutex);
  ranges->changed.wait(lock, [&] { return ranges->done == count; });
}

void ThreadPool::submit(void (*work)(void *), void *context) {
  add([work, context] { work(context); });
}

} // namespace kiln
