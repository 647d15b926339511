// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory.h"

#include "descriptor.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

namespace kiln {

namespace {

/// Reads the number at index `which` (from 0) in a system file of numbers separated by spaces. 0: there is no
/// number.
uint64_t number_in(const char *path, size_t which) {
  const int file = open_descriptor(path, O_RDONLY);
  if (file < 0) return 0;
  char text[128];
  const ssize_t size = ::read(file, text, sizeof text);
  ::close(file);
  const char *at = text, *end = text + std::max<ssize_t>(size, 0);
  for (; which > 0 && at < end; --which) {
    at = std::find(at, end, ' ');
    if (at < end) ++at;
  }
  uint64_t number = 0;
  return std::from_chars(at, end, number).ec == std::errc() ? number : 0;
}

} // namespace

uint64_t resident_bytes() {
  static const uint64_t page = uint64_t(::sysconf(_SC_PAGESIZE));
  // Pages of mapped files do not count, since the system can reclaim them.
  const uint64_t resident = number_in("/proc/self/statm", 1), shared = number_in("/proc/self/statm", 2);
  return (resident - std::min(resident, shared)) * page;
}

bool fits_memory(uint64_t more, uint64_t most) {
  if (resident_bytes() + more <= most) return true;
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
  return resident_bytes() + more <= most;
}

uint64_t usable_memory() {
  static const uint64_t usable = [] {
    uint64_t bytes = uint64_t(::sysconf(_SC_PHYS_PAGES)) * uint64_t(::sysconf(_SC_PAGESIZE));
    for (const char *path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"})
      if (const uint64_t group = number_in(path, 0)) bytes = std::min(bytes, group);
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      bytes = std::min<uint64_t>(bytes, limit.rlim_cur / 2); // half of the limit is left for code and stacks
    return bytes / 8 * 7;
  }();
  return usable;
}

} // namespace kiln
