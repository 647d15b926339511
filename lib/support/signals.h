// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signal mask of Kiln's own threads.
#pragma once

#include <csignal>
#include <pthread.h>

namespace kiln {

/// Blocks all signals on the calling thread. Each thread that Kiln starts calls it first, so that the
/// program's own threads get the signals.
inline void block_signals_of_thread() {
  sigset_t all;
  ::sigfillset(&all);
  (void)::pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

} // namespace kiln
