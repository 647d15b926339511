// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "releasable_lock.h"

#include <utility>

namespace kiln {

// Each wait for a device reads this variable. The TLS model initial-exec avoids a call into the dynamic
// linker.
[[gnu::tls_model("initial-exec")]] static constinit thread_local ReleasableLock *innermost_lock = nullptr;
/// Number of KeptLocks and EvaluationMutexes that this thread holds.
static constinit thread_local unsigned kept = 0;

void ReleasableLock::take(unsigned depth) {
  owner_.store(std::this_thread::get_id(), std::memory_order_relaxed);
  depth_ = depth;
  outer_ = std::exchange(innermost_lock, this);
}

unsigned ReleasableLock::leave() {
  ReleasableLock **link = &innermost_lock;
  while (*link != this) link = &(*link)->outer_;
  *link = std::exchange(outer_, nullptr);
  owner_.store(std::thread::id(), std::memory_order_relaxed);
  return std::exchange(depth_, 0);
}

void ReleasableLock::lock() {
  if (is_own()) {
    depth_++;
    return;
  }
  mutex_.lock();
  take(1);
}

bool ReleasableLock::try_lock() {
  if (is_own()) {
    depth_++;
    return true;
  }
  if (!mutex_.try_lock()) return false;
  take(1);
  return true;
}

void ReleasableLock::unlock() {
  if (depth_ > 1) {
    depth_--;
    return;
  }
  leave();
  mutex_.unlock();
}

void ReleasableLock::on_release(std::function<std::shared_ptr<void>()> suspend,
                                std::function<void(std::shared_ptr<void>)> resume) {
  suspend_ = std::move(suspend);
  resume_ = std::move(resume);
}

ReleasedLocks::ReleasedLocks() {
  while (innermost_lock && kept == 0) {
    ReleasableLock *lock = innermost_lock;
    std::shared_ptr<void> state = lock->suspend_ ? lock->suspend_() : nullptr;
    const unsigned depth = lock->leave();
    lock->mutex_.unlock();
    released_.push_back({lock, depth, std::move(state)});
  }
}

ReleasedLocks::~ReleasedLocks() {
  for (; !released_.empty(); released_.pop_back()) {
    Released &last = released_.back();
    last.lock->mutex_.lock();
    last.lock->take(last.depth);
    if (last.lock->resume_) last.lock->resume_(std::move(last.state));
  }
}

bool keeps_locks() { return kept != 0; }

KeptLocks::KeptLocks() { kept++; }
KeptLocks::~KeptLocks() { kept--; }

void EvaluationMutex::lock() {
  mutex_.lock();
  kept++;
}

void EvaluationMutex::unlock() {
  kept--;
  mutex_.unlock();
}

} // namespace kiln
