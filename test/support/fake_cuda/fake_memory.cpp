// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake CUDA driver: memory of devices and of the host, pools, copies.
#include "fake_state.h"

using namespace fake_cuda;

static int allocate(uint64_t *address, size_t bytes, bool pinned) {
  if (!current) return InvalidContext;
  uint64_t &used = fake.used[current->device];
  const uint64_t limit = setting("KILN_FAKE_CUDA_MEMORY", 1 << 30);
  if (bytes > limit || (!pinned && used + bytes > limit)) return OutOfMemory;
  *address = reinterpret_cast<uint64_t>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  if (!*address) return OutOfMemory;
  fake.memory[*address] = {bytes, current->device, pinned};
  if (!pinned) used += bytes;
  return Ok;
}
static int release(uint64_t address, bool pinned) {
  auto it = fake.memory.find(address);
  if (it == fake.memory.end() || it->second.pinned != pinned) return InvalidValue;
  if (!pinned) fake.used[it->second.device] -= it->second.bytes;
  std::free(reinterpret_cast<void *>(address));
  fake.memory.erase(it);
  return Ok;
}
EXPORT int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  ENTER(cuMemAlloc_v2);
  return capturing_here() ? CaptureUnsupported : allocate(address, bytes, false);
}
EXPORT int cuMemFree_v2(uint64_t address) {
  ENTER(cuMemFree_v2);
  return release(address, false);
}
EXPORT int cuMemPoolCreate(void **pool, const void *properties) {
  ENTER(cuMemPoolCreate);
  const int *p = static_cast<const int *>(properties); // CUmemPoolProps: PINNED, no handles, on a device
  if (p[0] != 1 || p[1] != 0 || p[2] != 1) return InvalidValue;
  *pool = *fake.pools.insert(new Pool{p[3] - 100}).first;
  return Ok;
}
EXPORT int cuMemPoolDestroy(void *pool) {
  ENTER(cuMemPoolDestroy);
  if (!fake.pools.erase(static_cast<Pool *>(pool))) return InvalidHandle;
  delete static_cast<Pool *>(pool);
  return Ok;
}
EXPORT int cuMemPoolSetAttribute(void *pool, int which, void *value) {
  ENTER(cuMemPoolSetAttribute);
  if (which != 4) return InvalidValue;
  static_cast<Pool *>(pool)->threshold = *static_cast<uint64_t *>(value);
  return Ok;
}
EXPORT int cuMemPoolGetAttribute(void *pool, int which, void *value) {
  ENTER(cuMemPoolGetAttribute);
  *static_cast<uint64_t *>(value) = which == 5 ? fake.used[static_cast<Pool *>(pool)->device] : 0;
  return Ok;
}
EXPORT int cuMemPoolTrimTo(void *pool, size_t) {
  ENTER(cuMemPoolTrimTo);
  return fake.pools.count(static_cast<Pool *>(pool)) ? Ok : InvalidHandle;
}
EXPORT int cuMemAllocFromPoolAsync(uint64_t *address, size_t bytes, void *pool, void *stream) {
  ENTER(cuMemAllocFromPoolAsync);
  auto *s = static_cast<FakeStream *>(stream);
  if (int status = check_stream(s)) return status;
  if (!fake.pools.count(static_cast<Pool *>(pool))) return InvalidHandle;
  return s->capturing ? CaptureUnsupported : allocate(address, bytes, false);
}
EXPORT int cuMemFreeAsync(uint64_t address, void *stream) {
  ENTER(cuMemFreeAsync);
  auto *s = static_cast<FakeStream *>(stream);
  if (int status = check_stream(s)) return status;
  return s->capturing ? InvalidValue : release(address, false);
}
EXPORT int cuMemGetInfo_v2(size_t *available, size_t *total) {
  ENTER(cuMemGetInfo_v2);
  *total = setting("KILN_FAKE_CUDA_MEMORY", 1 << 30);
  *available = *total - fake.used[device_of_current()];
  return Ok;
}
EXPORT int cuMemHostAlloc(void **memory, size_t bytes, unsigned) {
  ENTER(cuMemHostAlloc);
  uint64_t address = 0;
  int status = allocate(&address, bytes, true);
  *memory = reinterpret_cast<void *>(address);
  return status;
}
EXPORT int cuMemHostGetDevicePointer_v2(uint64_t *address, void *memory, unsigned) {
  ENTER(cuMemHostGetDevicePointer_v2);
  *address = reinterpret_cast<uint64_t>(memory);
  return fake.memory.count(*address) ? Ok : InvalidValue;
}
EXPORT int cuMemFreeHost(void *memory) {
  ENTER(cuMemFreeHost);
  return release(reinterpret_cast<uint64_t>(memory), true);
}
EXPORT int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  ENTER(cuMemcpyDtoH_v2);
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return Ok;
}
EXPORT int cuMemcpyAsync(uint64_t to, uint64_t from, size_t bytes, void *stream) {
  ENTER(cuMemcpyAsync);
  auto *s = static_cast<FakeStream *>(stream);
  if (int status = check_stream(s)) return status;
  if (!s->capturing) std::memmove(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), bytes);
  return Ok;
}
EXPORT int cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes, void *stream) {
  ENTER(cuMemsetD8Async);
  if (int status = check_stream(static_cast<FakeStream *>(stream))) return status;
  std::memset(reinterpret_cast<void *>(to), value, bytes);
  return Ok;
}
/// What was asked for, in plain sight.
EXPORT int cuTensorMapEncodeTiled(uint64_t *map, int type, unsigned rank, uint64_t address,
                                  const uint64_t *lengths, const uint64_t *strides, const uint32_t *box,
                                  const uint32_t *steps, int interleave, int swizzle, int, int outside) {
  ENTER(cuTensorMapEncodeTiled);
  if (reinterpret_cast<uintptr_t>(map) % 64 || rank < 1 || rank > 5 || interleave) return InvalidValue;
  for (unsigned i = 0; i < rank; i++)
    if (steps[i] != 1) return InvalidValue;
  const unsigned last = rank - 1;
  const uint64_t words[] = {uint64_t(type),
                            rank,
                            address,
                            lengths[last],
                            rank > 1 ? strides[last - 1] : 0,
                            box[last],
                            uint64_t(swizzle),
                            uint64_t(outside)};
  std::memcpy(map, words, sizeof words);
  return Ok;
}
EXPORT int cuPointerGetAttribute(void *value, int which, uint64_t address) {
  ENTER(cuPointerGetAttribute);
  auto it = fake.memory.upper_bound(address);
  if (it == fake.memory.begin() || address >= std::prev(it)->first + std::prev(it)->second.bytes)
    return InvalidValue;
  const Block &block = std::prev(it)->second;
  *static_cast<int *>(value) = which == 2 ? (block.pinned ? 1 : 2) : which == 9 ? block.device : 0;
  return Ok;
}
