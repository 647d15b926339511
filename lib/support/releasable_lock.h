// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lock for evaluated code, released while the code waits for a device. Other threads then need not wait for
// the kernel.
#pragma once

#include <kiln/export.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace kiln {

/// A recursive mutex. ReleasedLocks releases it and takes it again at the same depth.
class ReleasableLock {
public:
  KILN_PROGRAMS_API void lock();
  bool try_lock();
  KILN_PROGRAMS_API void unlock();

  /// Sets callbacks for a release. Call it before the lock is used. `suspend` runs with the lock held, before
  /// the release. `resume` gets its result once the lock is held again: state that other threads must not
  /// see.
  void on_release(std::function<std::shared_ptr<void>()> suspend,
                  std::function<void(std::shared_ptr<void>)> resume);

private:
  friend class ReleasedLocks;
  bool is_own() const { return owner_.load(std::memory_order_relaxed) == std::this_thread::get_id(); }
  void take(unsigned depth); ///< records that this thread holds the mutex
  unsigned leave();          ///< clears that record; returns the depth

  std::mutex mutex_;
  std::atomic<std::thread::id> owner_{};
  // Owner only:
  unsigned depth_ = 0;
  ReleasableLock *outer_ = nullptr; ///< the lock that the owner took before this one
  std::function<std::shared_ptr<void>()> suspend_;
  std::function<void(std::shared_ptr<void>)> resume_;
};

/// Releases all of this thread's ReleasableLocks while it lives, around a wait for a device. Costs one load
/// if the thread holds none.
class ReleasedLocks {
public:
  KILN_PROGRAMS_API ReleasedLocks();
  KILN_PROGRAMS_API ~ReleasedLocks();
  ReleasedLocks(const ReleasedLocks &) = delete;
  ReleasedLocks &operator=(const ReleasedLocks &) = delete;

private:
  struct Released {
    ReleasableLock *lock;
    unsigned depth;
    std::shared_ptr<void> state;
  };
  std::vector<Released> released_; ///< innermost first
};

/// Returns true inside a KeptLocks or an EvaluationMutex, where definitions run. The thread must then not
/// wait for compiles, which may need its locks.
bool keeps_locks();

/// Makes ReleasedLocks keep the locks of this thread while it lives: the work must not be interleaved.
class KeptLocks {
public:
  KeptLocks();
  ~KeptLocks();
  KeptLocks(const KeptLocks &) = delete;
  KeptLocks &operator=(const KeptLocks &) = delete;
};

/// A recursive mutex for code that definitions run, taken after ReleasableLocks. It keeps those locks while
/// it is held. Otherwise a thread that released one would wait for it while holding this one.
class EvaluationMutex {
public:
  void lock();
  void unlock();

private:
  std::recursive_mutex mutex_;
};

} // namespace kiln
