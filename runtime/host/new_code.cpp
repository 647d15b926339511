// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "new_code.h"

#if defined(__aarch64__)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace kiln {

#if defined(__aarch64__)
// A core that executes code which another core has written needs a context synchronisation event after the
// caches' invalidation (Arm ARM, "Concurrent modification and execution of instructions"). The new code's
// address reaches that core by a plain load, which is none. membarrier makes the event on each core that runs
// a thread of this process; the other threads get it from the kernel's switch to them. A system without this
// command (before Linux 4.16) has no better means.
static void synchronize_cores() {
  static const bool is_registered =
      ::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0) == 0;
  if (is_registered) ::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
}
#else
static void synchronize_cores() {}
#endif

void publish_code(void *begin, size_t bytes) {
  auto *first = static_cast<char *>(begin);
  __builtin___clear_cache(first, first + bytes);
  synchronize_cores();
}

} // namespace kiln
