// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stack.h"

#include "cancellation.h"
#include "environment.h"

#include <cstdint>
#include <exception>
#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <utility>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define KILN_SANITIZED 1
#endif
#endif

namespace kiln {

const size_t stack_for_limits = size_t(6) << 20;

namespace {

// Reserved address space; physical memory is used on demand.
constexpr size_t new_stack_bytes = size_t(64) << 20;

/// Lowest address of the thread's current stack. Null: unknown; the stack then counts as unlimited.
const char *&lowest() {
  thread_local const char *address = [] {
    const std::optional<StackBounds> bounds = stack_of_this_thread();
    return bounds ? bounds->lowest : nullptr;
  }();
  return address;
}

struct Call {
  void (*work)(void *);
  void *argument;
  std::exception_ptr thrown = {};
  // Copied to the new thread that run_elsewhere may use.
  const bool reads_environment = EnvironmentScope::is_allowed();
  const Cancellation *const cancellation = current_cancellation(); // likewise
  void run() {
    const EnvironmentScope environment(reads_environment);
    const CancellationScope scope(cancellation);
    try {
      work(argument);
    } catch (...) {
      thrown = std::current_exception();
    }
  }
};

#ifdef KILN_SANITIZED

void *start(void *call) {
  static_cast<Call *>(call)->run();
  return nullptr;
}

// Runs the call on a new thread, since sanitizers support threads better than stack switches.
bool run_elsewhere(Call &call) {
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes) != 0) return false;
  bool started = pthread_attr_setstacksize(&attributes, 4 * new_stack_bytes) == 0 &&
                 pthread_create(&thread, &attributes, start, &call) == 0;
  pthread_attr_destroy(&attributes);
  return started && pthread_join(thread, nullptr) == 0;
}

#else

void start(unsigned high, unsigned low) { // makecontext passes ints
  reinterpret_cast<Call *>(uintptr_t(high) << 32 | low)->run();
}

bool run_elsewhere(Call &call) {
  const size_t guard = size_t(sysconf(_SC_PAGESIZE));
  void *memory = mmap(nullptr, new_stack_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return false;
  ucontext_t here, there;
  bool made = mprotect(memory, guard, PROT_NONE) == 0 && getcontext(&there) == 0;
  if (made) {
    there.uc_stack.ss_sp = memory;
    there.uc_stack.ss_size = new_stack_bytes;
    there.uc_link = &here;
    const auto address = reinterpret_cast<uintptr_t>(&call);
    makecontext(&there, reinterpret_cast<void (*)()>(start), 2, unsigned(address >> 32), unsigned(address));
    const char *const before = std::exchange(lowest(), static_cast<const char *>(memory) + guard);
    made = swapcontext(&here, &there) == 0;
    lowest() = before;
  }
  munmap(memory, new_stack_bytes);
  return made;
}

#endif

} // namespace

std::optional<StackBounds> stack_of_this_thread() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return std::nullopt;
  void *lowest = nullptr;
  size_t bytes = 0, guard = 0;
  const bool known = pthread_attr_getstack(&attributes, &lowest, &bytes) == 0 &&
                     pthread_attr_getguardsize(&attributes, &guard) == 0;
  pthread_attr_destroy(&attributes);
  if (!known || guard >= bytes) return std::nullopt;
  return StackBounds{static_cast<const char *>(lowest) + guard, bytes - guard};
}

size_t remaining_stack() {
  const char *here = static_cast<const char *>(__builtin_frame_address(0)), *end = lowest();
  return end && here > end ? size_t(here - end) : end ? 0 : SIZE_MAX;
}

bool detail::on_new_stack(void (*work)(void *), void *argument) {
  Call call{work, argument};
  if (!run_elsewhere(call)) return false;
  if (call.thrown) std::rethrow_exception(call.thrown);
  return true;
}

} // namespace kiln
