// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts allocations: preloaded (LD_PRELOAD), those of the whole process by malloc and its kin, and which of
// them the driver's own code makes; named by KILN_CUDA_DRIVER, those that Kiln asks the CUDA driver for. All
// else is the driver's own, which this library depends on.
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <link.h>

namespace {
std::atomic<int64_t> host{0}, device{0}, of_driver{0};
std::atomic<uintptr_t> driver_begin{0}, driver_end{0}; ///< where libcuda's code lies; 0: not looked for yet

/// `caller`: where the allocation returns to.
inline void one(const void *caller) {
  host.fetch_add(1, std::memory_order_relaxed);
  const auto at = reinterpret_cast<uintptr_t>(caller);
  if (at >= driver_begin.load(std::memory_order_relaxed) && at < driver_end.load(std::memory_order_relaxed))
    of_driver.fetch_add(1, std::memory_order_relaxed);
}

int find_driver(dl_phdr_info *library, size_t, void *) {
  const char *name = std::strrchr(library->dlpi_name, '/');
  if (std::strncmp(name ? name + 1 : library->dlpi_name, "libcuda.so", 10) != 0) return 0;
  for (int i = 0; i < library->dlpi_phnum; i++) {
    const auto &part = library->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || !(part.p_flags & PF_X)) continue;
    driver_begin = library->dlpi_addr + part.p_vaddr;
    driver_end = library->dlpi_addr + part.p_vaddr + part.p_memsz;
  }
  return 0; // the last one counts: libcuda.so that is loaded for others has none
}
template <class F> F driver(const char *name) {
  device.fetch_add(1, std::memory_order_relaxed);
  return reinterpret_cast<F>(::dlsym(RTLD_NEXT, name));
}
} // namespace

extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

#define SEEDS_API __attribute__((visibility("default")))
SEEDS_API int64_t seeds_host_allocations() { return host.load(); }
/// Of those, by libcuda's own code, from the first call of this on.
SEEDS_API int64_t seeds_driver_allocations() {
  if (driver_begin == 0) dl_iterate_phdr(find_driver, nullptr);
  return of_driver.load();
}
SEEDS_API int64_t seeds_device_allocations() { return device.load(); }
SEEDS_API void *malloc(size_t n) { return one(__builtin_return_address(0)), __libc_malloc(n); }
SEEDS_API void *calloc(size_t n, size_t size) {
  return one(__builtin_return_address(0)), __libc_calloc(n, size);
}
SEEDS_API void *realloc(void *p, size_t n) { return one(__builtin_return_address(0)), __libc_realloc(p, n); }
SEEDS_API void *memalign(size_t align, size_t n) {
  return one(__builtin_return_address(0)), __libc_memalign(align, n);
}
SEEDS_API void *aligned_alloc(size_t align, size_t n) {
  return one(__builtin_return_address(0)), __libc_memalign(align, n);
}
SEEDS_API int posix_memalign(void **out, size_t align, size_t n) {
  one(__builtin_return_address(0));
  void *p = __libc_memalign(align, n);
  if (!p) return ENOMEM;
  *out = p;
  return 0;
}

SEEDS_API int cuMemAlloc_v2(uint64_t *p, size_t n) {
  return driver<int (*)(uint64_t *, size_t)>("cuMemAlloc_v2")(p, n);
}
SEEDS_API int cuMemAllocFromPoolAsync(uint64_t *p, size_t n, void *pool, void *stream) {
  return driver<int (*)(uint64_t *, size_t, void *, void *)>("cuMemAllocFromPoolAsync")(p, n, pool, stream);
}
SEEDS_API int cuMemAllocAsync(uint64_t *p, size_t n, void *stream) {
  return driver<int (*)(uint64_t *, size_t, void *)>("cuMemAllocAsync")(p, n, stream);
}
SEEDS_API int cuMemHostAlloc(void **p, size_t n, unsigned flags) {
  return driver<int (*)(void **, size_t, unsigned)>("cuMemHostAlloc")(p, n, flags);
}
}
