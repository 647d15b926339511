// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pool.h"

#include <support/cancellation.h>

namespace kiln {

Result<Message> ProcessPool::call(const Message &request, std::chrono::nanoseconds limit) {
  KILN_TRY(std::unique_ptr<WorkerProcess> worker, acquire());
  auto work = [&]() -> Result<Message> {
    if (!worker) {
      KILN_TRY(worker, WorkerProcess::start(options_));
      std::lock_guard lock(mutex_);
      started_++;
    }
    return worker->exchange(request, limit);
  };
  Result<Message> reply = work();
  if (worker && (!reply.ok() || worker->is_last_reply())) {
    worker.reset(); // waits for the process to end, so this thread must hold no lock
    std::lock_guard lock(mutex_);
    failed_++;
  }
  release(std::move(worker));
  return reply;
}

Result<std::unique_ptr<WorkerProcess>> ProcessPool::acquire() {
  std::optional<CancellationCallback> woken;
  if (const Cancellation *current = current_cancellation())
    woken.emplace(*current, [this] {
      std::lock_guard lock(mutex_); // with the lock, no thread is between its check and its wait
      given_back_.notify_all();
    });
  std::unique_lock lock(mutex_);
  std::optional<StageScope> waiting;
  while (working_ == limit_) {
    if (!waiting) waiting.emplace(timer_, Stage::WaitForWorkerProcess);
    if (Result<void> stopped = check_cancellation(); !stopped.ok()) {
      lock.unlock(); // destroying `woken` may wait for a thread that needs the lock
      return stopped.take_error();
    }
    const Cancellation *const current = current_cancellation();
    const auto until = current ? current->next_look() : Cancellation::Clock::time_point::max();
    if (until != Cancellation::Clock::time_point::max())
      given_back_.wait_until(lock, until);
    else
      given_back_.wait(lock);
  }
  working_++;
  std::unique_ptr<WorkerProcess> worker;
  std::vector<std::unique_ptr<WorkerProcess>> ended; // destroyed without the lock
  while (!idle_.empty() && !worker) {
    worker = std::move(idle_.back());
    idle_.pop_back();
    if (worker->is_idle()) break;
    ended.push_back(std::move(worker));
    failed_++;
  }
  lock.unlock();
  return worker;
}

void ProcessPool::release(std::unique_ptr<WorkerProcess> worker) {
  {
    std::lock_guard lock(mutex_);
    working_--;
    if (worker) idle_.push_back(std::move(worker));
  }
  given_back_.notify_one();
}

PoolCounters ProcessPool::counters() const {
  std::lock_guard lock(mutex_);
  return {.running = unsigned(idle_.size()) + working_,
          .working = working_,
          .started = started_,
          .failed = failed_};
}

std::vector<int64_t> ProcessPool::processes() const {
  std::lock_guard lock(mutex_);
  std::vector<int64_t> numbers;
  for (const auto &worker : idle_) numbers.push_back(worker->process());
  return numbers;
}

} // namespace kiln
