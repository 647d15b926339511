// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process.h"

#include <sys/mman.h>
#include <unistd.h>

namespace kiln {

std::atomic<detail::ProcessPage *> detail::process_page{nullptr};

namespace {

/// A forked child copies this counter and continues counting from its value.
std::atomic<uint64_t> last_token{0};

/// Fallback for kernels without MADV_WIPEONFORK (before Linux 4.14): process numbers from a system call are
/// compared.
detail::ProcessPage fallback{};
std::atomic<pid_t> fallback_process{0};

detail::ProcessPage *make_page() {
  const size_t bytes = size_t(::sysconf(_SC_PAGESIZE));
  void *memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  if (::madvise(memory, bytes, MADV_WIPEONFORK) != 0) {
    ::munmap(memory, bytes);
    return nullptr;
  }
  // No constructor needed: zero bytes are a valid ProcessPage.
  auto *page = static_cast<detail::ProcessPage *>(memory);
  detail::ProcessPage *other = nullptr;
  if (detail::process_page.compare_exchange_strong(other, page, std::memory_order_acq_rel)) return page;
  ::munmap(memory, bytes);
  return other;
}

} // namespace

uint64_t detail::new_process_token() {
  ProcessPage *page = process_page.load(std::memory_order_acquire);
  if (!page) page = make_page();
  if (!page) {
    page = &fallback;
    const pid_t now = ::getpid();
    if (pid_t before = fallback_process.exchange(now); before != now) page->token = 0;
  }
  uint64_t token = page->token.load();
  while (token == 0) {
    // Two threads of a child may set the token at once. The second one takes the token of the first.
    uint64_t mine = last_token.fetch_add(1) + 1;
    if (page->token.compare_exchange_strong(token, mine)) return mine;
  }
  return token;
}

} // namespace kiln
