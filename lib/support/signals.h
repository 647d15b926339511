// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signal mask of Kiln's own threads.
#pragma once

#include <csignal>
#include <pthread.h>

namespace kiln {

/// Blocks all signals. Each thread that Kiln starts calls this first, so that signals reach the program's own
/// threads.
inline void block_signals_of_thread() {
  sigset_t all;
  ::sigfillset(&all);
  (void)::pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

} // namespace kiln
