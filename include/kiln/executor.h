// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The embedder's threads instead of oneTBB's: SessionOptions::executor.
#pragma once

#include <kiln/export.h>

#include <cstdint>

namespace kiln::inline KILN_API_VERSION {

/// Runs the blocks of grids on the CPU. Thread-safe: any number of threads may call it at once, also its own
/// threads while they run Kiln's work.
///
/// A faulty executor does not end the process. An exception is a Usage error of the launch, which may have
/// run in part. So is an index that is left out, called twice or out of range. A body may take as long as it
/// likes; launches wait. An executor may call the session, destroy handles, and run other work while it
/// waits. While it runs a launch of a stream, a wait for a stream is a Usage error, and Event::wait returns.
class KILN_API CpuExecutor {
public:
  virtual ~CpuExecutor();
  /// Number of bodies that can run at once, the calling thread's included. At least 1. Read once, when the
  /// session opens.
  virtual unsigned threads() const = 0;
  /// Calls body(context, begin, end) for ranges that together are [0, count), each index once, on any
  /// threads, and returns when all these calls have returned. A body does not throw. The calling thread may
  /// run all of it.
  virtual void parallel_for(uint64_t count, void (*body)(void *context, uint64_t begin, uint64_t end),
                            void *context) = 0;
  /// Calls work(context) once, on any thread, as soon as one is free; may do so before it returns. Here
  /// launches in streams run: work may take as long as a kernel does, and may call parallel_for. If it throws
  /// instead, the calling thread runs the work.
  virtual void submit(void (*work)(void *context), void *context) = 0;
};

} // namespace kiln::inline KILN_API_VERSION
