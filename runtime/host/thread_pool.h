// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/executor.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace kiln {

/// A plain queue with threads, which start with the first work. Replaces oneTBB in forked children of a
/// process that has used oneTBB.
class ThreadPool final : public CpuExecutor {
public:
  explicit ThreadPool(unsigned threads); ///< 0: one per core
  ~ThreadPool() override;                ///< finishes the queue
  unsigned threads() const override { return threads_; }
  void parallel_for(uint64_t count, void (*body)(void *context, uint64_t begin, uint64_t end),
                    void *context) override;
  void submit(void (*work)(void *context), void *context) override;

private:
  void add(std::function<void()> work);
  void loop();
  const unsigned threads_;
  std::mutex mutex_; ///< protects the members below
  std::condition_variable more_;
  std::deque<std::function<void()>> queue_;
  bool ends_ = false;
  unsigned idle_ = 0;
  std::vector<std::thread> workers_;
};

} // namespace kiln
