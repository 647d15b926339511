// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks with waits in the timing report, for code without a session.
#pragma once

#include <kiln/extension/language/internal/stage_timer.h>

namespace kiln {

/// Takes a deferred lock. If another thread holds it, the wait becomes a row of `stage` in this thread's
/// timer, if it has one. A free lock has no extra cost.
template <class Lock> void lock_timed(Lock &lock, Stage stage) {
  if (lock.try_lock()) [[likely]]
    return;
  StageScope scope(Timer::of_thread(), stage);
  lock.lock();
}

} // namespace kiln
