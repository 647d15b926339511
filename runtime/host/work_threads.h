// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads for the CPU's work: oneTBB, an arena of the embedder, the embedder's own executor, or Kiln's own
// threads in a forked child of a process that has used oneTBB.
#pragma once

#include "executor.h"

#include <support/float_environment.h>

namespace kiln {

/// Runs work on threads. Thread-safe.
class WorkThreads {
public:
  explicit WorkThreads(const ExecutorOptions &options);
  ~WorkThreads();
  unsigned threads() const;
  /// Calls run(begin, end) for disjoint ranges that cover [0, count), and waits. Each call has the default
  /// floating-point environment. Rethrows an exception of `run`. Error: Usage if an embedder's executor
  /// failed; `run` may then have missed ranges.
  template <class F> Result<void> for_each(uint64_t count, F &run) {
    return run_all(
        count, [](void *context, uint64_t begin, uint64_t end) { (*static_cast<F *>(context))(begin, end); },
        &run);
  }
  /// Calls run(0, count) on this thread, with the default floating-point environment.
  template <class F> Result<void> run_here(uint64_t count, F &run) {
    const KernelFloatEnvironment environment;
    run(uint64_t(0), count);
    return {};
  }
  /// Calls work(context) on another thread and returns at once. An embedder's executor may call `work` before
  /// enqueue() returns. If its submit() throws, enqueue() calls `work` itself.
  void enqueue(void (*work)(void *), void *context);

private:
  using Body = void (*)(void *context, uint64_t begin, uint64_t end);
  Result<void> run_all(uint64_t count, Body body, void *context);
  struct Tbb;
  std::unique_ptr<Tbb> tbb_;              ///< null: the threads are `own_` or `executor_`
  std::shared_ptr<CpuExecutor> executor_; ///< embedder's executor; null: oneTBB
  unsigned threads_ = 0;                  ///< of the embedder's executor
};

} // namespace kiln
