// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <catch2/catch.hpp>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/// Returns true if the kernel clears pages marked with MADV_WIPEONFORK in a child, as Linux does. Otherwise
/// prints that the test is skipped: QEMU's user emulation accepts the mark and ignores it.
inline bool wipes_on_fork() {
  static const bool wipes = [] {
    const size_t bytes = size_t(::sysconf(_SC_PAGESIZE));
    void *memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    auto *page = static_cast<volatile char *>(memory);
    if (memory == MAP_FAILED || ::madvise(memory, bytes, MADV_WIPEONFORK) != 0) return true; // a real failure
    *page = 1;
    const pid_t child = ::fork();
    if (child == 0) ::_exit(*page);
    int status = 0;
    ::waitpid(child, &status, 0);
    ::munmap(memory, bytes);
    return status == 0;
  }();
  if (!wipes) WARN("skipped: this system ignores MADV_WIPEONFORK");
  return wipes;
}
