// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Kiln's own threads do about signals.
#pragma once

#include <csignal>
#include <pthread.h>

namespace kiln {

/// The program's signals are its own threads': each thread that Kiln starts calls this first.
inline void block_signals_of_thread() {
  sigset_t all;
  ::sigfillset(&all);
  (void)::pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

} // namespace kiln
