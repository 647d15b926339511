// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the CPU's work runs: on oneTBB, in an arena of the embedder's, on the embedder's own executor, or, in
// a child of a process that has used oneTBB, on threads of Kiln's own.
#pragma once

#include "executor.h"

namespace kiln {

/// Thread-safe.
class WorkThreads {
public:
  explicit WorkThreads(const ExecutorOptions &options);
  ~WorkThreads();
  unsigned threads() const;
  /// Calls run(begin, end) for ranges that are [0, count) together, each in the default floating-point
  /// environment, and waits for them. An exception of `run` comes out of it. Error: Usage, of an embedder's
  /// executor that failed: `run` was not called for all.
  template <class F> Result<void> for_each(uint64_t count, F &run) {
    return run_all(
        count, [](void *context, uint64_t begin, uint64_t end) { (*static_cast<F *>(context))(begin, end); },
        &run);
  }
  /// Calls work(context) on one of the threads, and returns at once; or, on an executor that likes it so or
  /// that fails, when it is done.
  void enqueue(void (*work)(void *), void *context);

private:
  using Body = void (*)(void *context, uint64_t begin, uint64_t end);
  Result<void> run_all(uint64_t count, Body body, void *context);
  struct Tbb;
  std::unique_ptr<Tbb> tbb_;              ///< null: `own_` or the embedder's executor
  std::shared_ptr<CpuExecutor> executor_; ///< null: oneTBB
  unsigned threads_ = 0;                  ///< of the executor
};

} // namespace kiln
