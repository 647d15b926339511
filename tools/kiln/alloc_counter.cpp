// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces the program's operator new and delete by versions that count allocations and call malloc.
#include "alloc_counter.h"

#include <cstdlib>
#include <new>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define KILN_SANITIZED 1
#endif
#endif

#ifdef KILN_SANITIZED

namespace kiln::tool {
AllocationCounter allocation_counter() { return nullptr; }
} // namespace kiln::tool

#else

namespace {

// Allocations of the calling thread. Constant initialisation and no destructor: operator new may use the
// counter before a thread's other thread_locals exist and after their destruction.
thread_local constinit kiln::AllocationCount counted;

void *try_allocate(std::size_t size, std::size_t align) noexcept {
  counted.count++;
  counted.bytes += size;
  if (size == 0) size = 1;
  if (align <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) return std::malloc(size);
  void *memory = nullptr;
  return ::posix_memalign(&memory, align, size) == 0 ? memory : nullptr;
}

void *allocate(std::size_t size, std::size_t align) {
  for (;;) {
    if (void *memory = try_allocate(size, align)) return memory;
    if (std::new_handler handler = std::get_new_handler())
      handler();
    else
      throw std::bad_alloc();
  }
}

} // namespace

namespace kiln::tool {
AllocationCounter allocation_counter() {
  return []() noexcept { return counted; };
}
} // namespace kiln::tool

void *operator new(std::size_t n) { return allocate(n, 0); }
void *operator new[](std::size_t n) { return allocate(n, 0); }
void *operator new(std::size_t n, const std::nothrow_t &) noexcept { return try_allocate(n, 0); }
void *operator new[](std::size_t n, const std::nothrow_t &) noexcept { return try_allocate(n, 0); }
void *operator new(std::size_t n, std::align_val_t a) { return allocate(n, std::size_t(a)); }
void *operator new[](std::size_t n, std::align_val_t a) { return allocate(n, std::size_t(a)); }
void *operator new(std::size_t n, std::align_val_t a, const std::nothrow_t &) noexcept {
  return try_allocate(n, std::size_t(a));
}
void *operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t &) noexcept {
  return try_allocate(n, std::size_t(a));
}
void operator delete(void *p) noexcept { std::free(p); }
void operator delete[](void *p) noexcept { std::free(p); }
void operator delete(void *p, std::size_t) noexcept { std::free(p); }
void operator delete[](void *p, std::size_t) noexcept { std::free(p); }
void operator delete(void *p, const std::nothrow_t &) noexcept { std::free(p); }
void operator delete[](void *p, const std::nothrow_t &) noexcept { std::free(p); }
void operator delete(void *p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void *p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void *p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void *p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete(void *p, std::align_val_t, const std::nothrow_t &) noexcept { std::free(p); }
void operator delete[](void *p, std::align_val_t, const std::nothrow_t &) noexcept { std::free(p); }

#endif
