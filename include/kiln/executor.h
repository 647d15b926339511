// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface through which the CPU device runs its work on the embedder's threads instead of oneTBB's
// (SessionOptions::executor).
#pragma once

#include <kiln/export.h>

#include <cstdint>

namespace kiln::inline KILN_API_VERSION {

/// Runs the blocks of grids on the CPU. Must be thread-safe: any number of threads call it at once, including
/// threads on which it runs Kiln's work.
///
/// Faults of the executor do not end the process. An exception, or an index that is skipped, repeated or out
/// of range, is a Usage error of the launch, which may have run in part. The executor may delay work as long
/// as it likes; launches then wait. It may call the session, destroy handles, and run other work while it
/// waits. Within a launch from a stream, waiting for a stream is a Usage error, and Event::wait returns at
/// once.
class KILN_API CpuExecutor {
public:
  virtual ~CpuExecutor();
  /// Returns the number of bodies that can run at once, the calling thread's included: at least 1. Kiln calls
  /// it once, when the session is opened.
  virtual unsigned threads() const = 0;
  /// Calls body(context, begin, end) for disjoint ranges that cover [0, count), on any threads, and returns
  /// when all calls have returned. A body does not throw. The calling thread may run all ranges itself.
  virtual void parallel_for(uint64_t count, void (*body)(void *context, uint64_t begin, uint64_t end),
                            void *context) = 0;
  /// Calls work(context) once, on any thread, as soon as one is free, possibly before submit returns.
  /// Launches in streams run this way, so `work` may take as long as a kernel and may call parallel_for. If
  /// submit throws instead of calling `work`, the submitting thread runs the work.
  virtual void submit(void (*work)(void *context), void *context) = 0;
};

} // namespace kiln::inline KILN_API_VERSION
