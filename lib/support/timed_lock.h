// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes locks so that waits appear in the timing report, for code that has no access to a session.
#pragma once

#include <kiln/extension/language/internal/stage_timer.h>

namespace kiln {

/// Takes a lock. If another thread holds it, the wait is timed as `stage` in this thread's current timer, if
/// there is one. A free lock has no extra cost.
template <class Lock> void lock_timed(Lock &lock, Stage stage) {
  if (lock.try_lock()) [[likely]]
    return;
  StageScope scope(Timer::of_thread(), stage);
  lock.lock();
}

} // namespace kiln
