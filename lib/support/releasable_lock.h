// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lock that evaluated code holds, and gives up while it waits for a device: other threads then need not
// wait for a kernel.
#pragma once

#include <kiln/export.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace kiln {

/// A recursive mutex. ReleasedLocks gives it up and takes it again, as deep as it was held.
class ReleasableLock {
public:
  KILN_PROGRAMS_API void lock();
  bool try_lock();
  KILN_PROGRAMS_API void unlock();

  /// Before the lock is used. `suspend` is called with the lock held before it is given up, and gives what
  /// `resume` gets when it is held again: the state of work that other threads must not meet.
  void on_release(std::function<std::shared_ptr<void>()> suspend,
                  std::function<void(std::shared_ptr<void>)> resume);

private:
  friend class ReleasedLocks;
  bool is_own() const { return owner_.load(std::memory_order_relaxed) == std::this_thread::get_id(); }
  void take(unsigned depth); ///< notes that this thread holds the mutex
  unsigned leave();          ///< the reverse; how deep it was held

  std::mutex mutex_;
  std::atomic<std::thread::id> owner_{};
  // Of the owner alone:
  unsigned depth_ = 0;
  ReleasableLock *outer_ = nullptr; ///< that the owner took before
  std::function<std::shared_ptr<void>()> suspend_;
  std::function<void(std::shared_ptr<void>)> resume_;
};

/// While it lives, this thread holds no ReleasableLock: around a wait for a device. Costs a load where it
/// holds none.
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
  std::vector<Released> released_; ///< the innermost first
};

/// Whether this thread is in code that definitions run, or in a KeptLocks: it must not wait for compiles,
/// which may need what it keeps.
bool keeps_locks();

/// While it lives, ReleasedLocks gives nothing up on this thread: what runs must not be interleaved.
class KeptLocks {
public:
  KeptLocks();
  ~KeptLocks();
  KeptLocks(const KeptLocks &) = delete;
  KeptLocks &operator=(const KeptLocks &) = delete;
};

/// A recursive mutex for code that definitions run, taken after ReleasableLocks. While it is held they are
/// kept: a thread that gave one up would wait for it with this one in hand.
class EvaluationMutex {
public:
  void lock();
  void unlock();

private:
  std::recursive_mutex mutex_;
};

} // namespace kiln
