// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lock that a thread holds while it evaluates code, but releases while that code waits for a device. Other
// threads then need not wait for the kernel.
#pragma once

#include <kiln/export.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace kiln {

/// A recursive mutex that a ReleasedLocks can release and take again, at the same recursion depth.
class ReleasableLock {
public:
  KILN_PROGRAMS_API void lock();
  bool try_lock();
  KILN_PROGRAMS_API void unlock();

  /// Sets callbacks for releases by ReleasedLocks. Call it before the lock is used. `suspend` runs before the
  /// lock is released; it saves and returns state that other threads must not see. `resume` gets that state
  /// back after the lock is taken again.
  void on_release(std::function<std::shared_ptr<void>()> suspend,
                  std::function<void(std::shared_ptr<void>)> resume);

private:
  friend class ReleasedLocks;
  /// Relaxed: only this thread itself stores its own id, so that another value, however old, means no.
  bool is_own() const { return owner_.load(std::memory_order_relaxed) == std::this_thread::get_id(); }
  void take(unsigned depth); ///< records that this thread holds mutex_, at recursion depth `depth`
  unsigned leave();          ///< clears the record of take(); returns the recursion depth

  std::mutex mutex_;
  std::atomic<std::thread::id> owner_{};
  // Owner only:
  unsigned depth_ = 0;
  ReleasableLock *outer_ = nullptr; ///< lock that the owning thread took before this one; null: none
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

/// Returns true if this thread is inside a KeptLocks or holds an EvaluationMutex, that is, runs code for
/// definitions. It must then not wait for compiles, which may need its locks.
bool keeps_locks();

/// While it lives, ReleasedLocks on this thread release nothing, for work during which no other thread may
/// take the locks.
class KeptLocks {
public:
  KeptLocks();
  ~KeptLocks();
  KeptLocks(const KeptLocks &) = delete;
  KeptLocks &operator=(const KeptLocks &) = delete;
};

/// A recursive mutex for code that definitions run; threads take it after ReleasableLocks. While it is held,
/// ReleasedLocks release nothing. Otherwise a thread could wait to retake a ReleasableLock while it holds
/// this mutex, a deadlock.
class EvaluationMutex {
public:
  void lock();
  void unlock();

private:
  std::recursive_mutex mutex_;
};

} // namespace kiln
