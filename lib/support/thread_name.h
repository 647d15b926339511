// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of threads, for debuggers and timing reports.
#pragma once

#include <pthread.h>

namespace kiln {

/// Names the calling thread. At most 15 characters.
template <size_t N> void name_this_thread(const char (&name)[N]) {
  static_assert(N <= 16, "the system's limit");
  ::pthread_setname_np(::pthread_self(), name);
}

} // namespace kiln
