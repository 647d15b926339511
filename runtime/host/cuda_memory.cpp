// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory pool of a GPU, owned by Kiln. The pool keeps freed memory for later allocations. Allocating and
// freeing are stream-ordered, so that neither waits for the device.
#include "cuda_device.h"

#include <support/exceptions.h>

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace kiln {

namespace {

// cuda.h: CUmemPool_attribute, CUpointer_attribute, CUmemorytype, and flags of cuMemHostAlloc.
enum { ReleaseThreshold = 4, ReservedNow = 5 };
enum { MemoryType = 2, IsManaged = 8, DeviceOrdinal = 9 };
enum { HostMemory = 1, DeviceMemoryType = 2 };
/// Layout of CUmemPoolProps.
struct PoolProperties {
  int allocation_type = 1; ///< CU_MEM_ALLOCATION_TYPE_PINNED
  int handle_types = 0;
  int location_type = 1; ///< CU_MEM_LOCATION_TYPE_DEVICE
  int location = 0;
  void *security = nullptr;
  size_t max_size = 0;
  unsigned char reserved[56] = {};
};
static_assert(sizeof(PoolProperties) == 88);

std::string megabytes(uint64_t bytes) {
  return bytes < (uint64_t(1) << 20) ? fmt::format("{} bytes", bytes) : fmt::format("{} MB", bytes >> 20);
}

constexpr uint64_t alignment_of_memory = 256; ///< as CUDA's allocators

/// Returns a version number for `buffers_stamp_` that this process has not used before.
uint64_t next_stamp() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

/// A buffer that this thread looked up. Valid while the device's `buffers_stamp_` equals `stamp`.
struct SeenBuffer {
  uint64_t stamp = 0, begin = 0, end = 0;
};
// initial-exec avoids calls of the dynamic linker: each launch reads this variable for each of its pointers.
[[gnu::tls_model("initial-exec")]] constinit thread_local std::array<SeenBuffer, 8> seen_buffers;

} // namespace

DeviceAllocator::~DeviceAllocator() = default;

CudaDevice::CudaDevice() : buffers_stamp_(next_stamp()) {}

Result<void *> CudaDevice::pool() {
  if (!has_pools_) return static_cast<void *>(nullptr);
  std::lock_guard lock(mutex_);
  if (pool_) return pool_;
  PoolProperties properties;
  properties.location = device_;
  KILN_CHECK(driver_->check(driver_->MemPoolCreate(&pool_, &properties), "making a pool of device memory"));
  uint64_t keep = UINT64_MAX; // keep all freed memory until trim()
  KILN_CHECK(driver_->check(driver_->MemPoolSetAttribute(pool_, ReleaseThreshold, &keep),
                            "setting up the pool of device memory"));
  return pool_;
}

Result<uint64_t> CudaDevice::allocate(uint64_t bytes, void *stream) {
  if (captures_here())
    return usage_error(
        "device memory cannot be allocated while this thread captures a graph: allocate before Stream::capture_begin");
  if (bytes == 0) return uint64_t(0);
  KILN_CHECK(enter());
  KILN_TRY(const uint64_t address,
           allocator_ ? allocate_from_embedder(bytes, stream) : allocate_from_pool(bytes, stream));
  {
    std::unique_lock lock(buffers_mutex_);
    buffers_.insert_or_assign(address, address + bytes);
  }
  allocations_.fetch_add(1, std::memory_order_relaxed);
  uint64_t now = current_bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes,
           peak = peak_bytes_.load(std::memory_order_relaxed);
  while (now > peak && !peak_bytes_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
  }
  return address;
}

Error CudaDevice::no_memory(int status, uint64_t bytes, const std::string &why) {
  size_t available = 0, total = 0;
  driver_->MemGetInfo(&available, &total);
  return error(status, fmt::format("allocating {} on {}{}, where {} of {} are free and buffers hold {}",
                                   megabytes(bytes), info_.name, why, megabytes(available), megabytes(total),
                                   megabytes(current_bytes_.load())));
}

Result<uint64_t> CudaDevice::allocate_from_embedder(uint64_t bytes, void *stream) {
  uint64_t address = 0;
  try {
    address = allocator_->allocate(bytes, context_, stream);
  } catch (...) {
    return machine_error(fmt::format("allocating {} on {}: the embedder's allocator threw: {}",
                                     megabytes(bytes), info_.name, text_of_current_exception()));
  }
  KILN_CHECK(enter()); // the embedder's allocator may have changed the context
  if (!address) return no_memory(cuda_status::OutOfMemory, bytes, " by the embedder's allocator");
  if (address % alignment_of_memory == 0) return address;
  release_to_embedder(address, bytes, stream);
  return usage_error(
      fmt::format("the embedder's allocator gave the address {:#x}, which is no multiple of {}", address,
                  alignment_of_memory));
}

void CudaDevice::release_to_embedder(uint64_t address, uint64_t bytes, void *stream) {
  try {
    allocator_->release(address, bytes, context_, stream);
  } catch (...) {
    // Ignore exceptions of the embedder's allocator: kiln/allocator.h declares failed frees as unreported.
  }
}

Result<uint64_t> CudaDevice::allocate_from_pool(uint64_t bytes, void *stream) {
  KILN_TRY(void *from, pool());
  uint64_t address = 0;
  auto attempt = [&] {
    return from ? driver_->MemAllocFromPool(&address, bytes, from, stream)
                : driver_->MemAlloc(&address, bytes);
  };
  int status = attempt();
  if (status == cuda_status::OutOfMemory && from) {
    // Memory freed in other streams becomes available after those streams reached the free. Wait for them and
    // retry.
    driver_->ContextSynchronize();
    driver_->MemPoolTrimTo(from, 0);
    status = attempt();
  }
  if (status == cuda_status::OutOfMemory) return no_memory(status, bytes, "");
  if (status) return error(status, fmt::format("allocating {} on {}", megabytes(bytes), info_.name));
  return address;
}

void CudaDevice::release(uint64_t address, uint64_t bytes, void *stream) {
  if (!address || !enter().ok()) return;
  {
    std::unique_lock lock(buffers_mutex_);
    buffers_.erase(address);
    buffers_stamp_.store(next_stamp(), std::memory_order_release);
  }
  if (allocator_)
    release_to_embedder(address, bytes, stream);
  else if (has_pools_)
    driver_->MemFreeAsync(address, stream);
  else
    driver_->MemFree(address);
  current_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
}

Result<void *> CudaDevice::allocate_pinned(uint64_t bytes) {
  if (captures_here())
    return usage_error(
        "pinned memory cannot be allocated while this thread captures a graph: allocate before Stream::capture_begin");
  KILN_CHECK(enter());
  void *memory = nullptr;
  if (int status = driver_->MemHostAlloc(&memory, bytes ? bytes : 1,
                                         cuda_flags::HostPortable | cuda_flags::HostMapped))
    return error(status, fmt::format("allocating {} of pinned host memory", megabytes(bytes)));
  return memory;
}

void CudaDevice::release_pinned(void *memory) {
  if (memory && enter().ok()) driver_->MemFreeHost(memory);
}

MemoryCounters CudaDevice::memory_counters() {
  MemoryCounters c{.current_bytes = current_bytes_.load(),
                   .peak_bytes = peak_bytes_.load(),
                   .allocations = allocations_.load(),
                   .reserved_bytes = 0};
  std::lock_guard lock(mutex_);
  if (pool_)
    driver_->MemPoolGetAttribute(pool_, ReservedNow, &c.reserved_bytes);
  else
    c.reserved_bytes = c.current_bytes;
  return c;
}

Result<void> CudaDevice::trim(uint64_t keep) {
  if (captures_here())
    return usage_error(
        "memory cannot be given back while this thread captures a graph: trim after Stream::capture_end");
  KILN_CHECK(synchronize()); // completes the frees that streams have queued
  std::lock_guard lock(mutex_);
  if (!pool_) return {};
  return driver_->check(driver_->MemPoolTrimTo(pool_, keep), "trimming the pool of device memory");
}

Result<void> CudaDevice::set_kept_memory(uint64_t bytes) {
  KILN_CHECK(enter());
  if (allocator_) return {}; // the embedder's allocator decides what it keeps
  KILN_TRY(void *of, pool());
  if (!of) return {};
  return driver_->check(driver_->MemPoolSetAttribute(of, ReleaseThreshold, &bytes),
                        "setting up the pool of device memory");
}

Result<std::pair<uint64_t, uint64_t>> CudaDevice::free_and_total() {
  KILN_CHECK(enter());
  size_t available = 0, total = 0;
  KILN_CHECK(check(driver_->MemGetInfo(&available, &total), "asking for free memory"));
  return std::pair<uint64_t, uint64_t>(available, total);
}

bool CudaDevice::is_of_buffer(uint64_t address) {
  SeenBuffer &seen = seen_buffers[(address >> 8 ^ address >> 20) % seen_buffers.size()];
  if (seen.stamp == buffers_stamp_.load(std::memory_order_acquire) && address >= seen.begin &&
      address < seen.end) [[likely]]
    return true;
  std::shared_lock lock(buffers_mutex_);
  auto behind = buffers_.upper_bound(address);
  if (behind == buffers_.begin() || address >= std::prev(behind)->second) return false;
  seen = {buffers_stamp_.load(std::memory_order_relaxed), std::prev(behind)->first,
          std::prev(behind)->second};
  return true;
}

Result<void> CudaDevice::check_pointer(uint64_t address) {
  // A null address belongs to an array without elements. Most other pointers are Kiln's own buffers, so that
  // slow driver queries (300 ns) are rare.
  if (!address || is_of_buffer(address)) return {};
  KILN_CHECK(enter());
  unsigned type = 0;
  int status = driver_->PointerGetAttribute(&type, MemoryType, address);
  if (CudaDriver::is_sticky(status)) return error(status, "looking at a pointer");
  if (status || type == 0) {
    if (reads_host_memory_) return {};
    return usage_error(fmt::format(
        "{:#x} is no memory that {} reaches: copy host memory to a Buffer (Stream::allocate, Stream::copy), or take it pinned (Device::allocate_pinned)",
        address, info_.name));
  }
  unsigned managed = 0;
  if (type == HostMemory || (driver_->PointerGetAttribute(&managed, IsManaged, address) == 0 && managed))
    return {};
  int owner = -1;
  if (type == DeviceMemoryType && driver_->PointerGetAttribute(&owner, DeviceOrdinal, address) == 0 &&
      owner != info_.number)
    return usage_error(fmt::format(
        "{:#x} is memory of GPU {}, and the launch is on GPU {} ({}): copy it there (Stream::copy)", address,
        owner, info_.number, info_.name));
  return {};
}

} // namespace kiln
