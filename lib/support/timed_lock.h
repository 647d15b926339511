// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks whose waits are rows of the timing report, for what is far from any session.
#pragma once

#include <kiln/extension/language/internal/stage_timer.h>

namespace kiln {

/// Takes a lock that is deferred; where somebody else holds it, the wait is a row of `stage` in the timer
/// that this thread is in, if it is in one. A lock that is free costs what it always costs.
template <class Lock> void lock_timed(Lock &lock, Stage stage) {
  if (lock.try_lock()) [[likely]]
    return;
  StageScope scope(Timer::of_thread(), stage);
  lock.lock();
}

} // namespace kiln
