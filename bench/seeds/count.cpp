// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts allocations: preloaded (LD_PRELOAD), those of the whole process by malloc and its kin; named by
// KILN_CUDA_DRIVER, those that Kiln asks the CUDA driver for. All else is the driver's own, which this
// library depends on.
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <dlfcn.h>

namespace {
std::atomic<int64_t> host{0}, device{0};
void one() { host.fetch_add(1, std::memory_order_relaxed); }
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
SEEDS_API int64_t seeds_device_allocations() { return device.load(); }
SEEDS_API void *malloc(size_t n) { return one(), __libc_malloc(n); }
SEEDS_API void *calloc(size_t n, size_t size) { return one(), __libc_calloc(n, size); }
SEEDS_API void *realloc(void *p, size_t n) { return one(), __libc_realloc(p, n); }
SEEDS_API void *memalign(size_t align, size_t n) { return one(), __libc_memalign(align, n); }
SEEDS_API void *aligned_alloc(size_t align, size_t n) { return one(), __libc_memalign(align, n); }
SEEDS_API int posix_memalign(void **out, size_t align, size_t n) {
  one();
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
