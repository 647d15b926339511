// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One NVIDIA GPU in one of its contexts: properties and memory.
#pragma once

#include "cuda_driver.h"

#include <kiln/allocator.h>
#include <kiln/device.h>

#include <atomic>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace kiln {

/// A GPU in one context. Thread-safe. Each call makes the context current on the calling thread and leaves it
/// current.
class CudaDevice {
public:
  /// Opens the primary context. Error: Machine for an unknown device number, or a device older than sm_50.
  static Result<std::shared_ptr<CudaDevice>> open(std::shared_ptr<CudaDriver> driver, int number);
  /// Uses a context of the embedder, which must outlive this object.
  static Result<std::shared_ptr<CudaDevice>> open_context(std::shared_ptr<CudaDriver> driver, void *context);
  ~CudaDevice();
  CudaDevice(const CudaDevice &) = delete;
  CudaDevice &operator=(const CudaDevice &) = delete;

  static Result<GpuInfo> describe(const CudaDriver &driver, int number);

  /// Sets the embedder's allocator for buffers; null: Kiln's pool. Call it before the first allocation.
  void set_allocator(std::shared_ptr<DeviceAllocator> allocator) { allocator_ = std::move(allocator); }

  CudaDriver &driver() const { return *driver_; }
  const GpuInfo &info() const { return info_; }
  const DeviceLimits &limits() const { return limits_; }
  void *context() const { return context_; }
  bool is_primary() const { return primary_; }

  /// Makes the context current. Checks the current context each time (a few ns), since other code may have
  /// changed it.
  Result<void> enter() {
    void *current = nullptr;
    if (driver_->ContextGetCurrent(&current) == 0 && current == context_) [[likely]]
      return {};
    return driver_->check(driver_->ContextSetCurrent(context_), "entering the GPU's context");
  }

  /// Returns driver().error() for a status. The text of a sticky error is kept, and later errors repeat it.
  Error error(int status, const std::string &what);
  Result<void> check(int status, const char *what) {
    if (status == 0) [[likely]]
      return {};
    return error(status, what);
  }

  // ---- memory. `stream` is a CUstream. Work enqueued after allocate() may use the memory. release() frees
  // the memory after work enqueued earlier. Error: Machine (out of memory, with the used and free bytes).
  Result<uint64_t> allocate(uint64_t bytes, void *stream);
  void release(uint64_t address, uint64_t bytes, void *stream);
  Result<void *> allocate_pinned(uint64_t bytes);
  void release_pinned(void *memory);
  MemoryCounters memory_counters();
  Result<void> trim(uint64_t keep);
  Result<void> set_kept_memory(uint64_t bytes);
  Result<std::pair<uint64_t, uint64_t>> free_and_total();
  /// Checks that kernels of this device can reach `address`. Error: Usage, which names the owner of the
  /// memory.
  Result<void> check_pointer(uint64_t address);
  Result<void> synchronize();

  // ---- graph captures. Each begins and ends on one thread. In between, that thread must not load code or
  // allocate memory.
  void capture_began();
  void capture_ended();
  bool captures_here() const;

private:
  CudaDevice();
  bool is_of_buffer(uint64_t address); ///< true if the address lies in memory that this device allocated
  Result<void> start(int number);
  Result<void *> pool(); ///< null: no pool support
  Result<uint64_t> allocate_from_pool(uint64_t bytes, void *stream);
  Result<uint64_t> allocate_from_embedder(uint64_t bytes, void *stream);
  void release_to_embedder(uint64_t address, uint64_t bytes, void *stream);
  Error no_memory(int status, uint64_t bytes, const std::string &why);

  std::shared_ptr<CudaDriver> driver_;
  std::shared_ptr<DeviceAllocator> allocator_; ///< null: use `pool_`
  int device_ = 0;
  GpuInfo info_;
  DeviceLimits limits_;
  void *context_ = nullptr;
  bool primary_ = false, has_pools_ = false, reads_host_memory_ = false;

  mutable std::mutex mutex_;
  void *pool_ = nullptr;
  std::string lost_; ///< text of the first sticky error
  std::vector<std::thread::id> capturing_;
  std::shared_mutex buffers_mutex_;
  std::map<uint64_t, uint64_t> buffers_; ///< live buffers: begin -> end
  /// Version of `buffers_`, renewed when a buffer is freed. Look-ups cached by threads are valid for one
  /// version only.
  std::atomic<uint64_t> buffers_stamp_;
  std::atomic<uint64_t> current_bytes_{0}, peak_bytes_{0}, allocations_{0};
};

} // namespace kiln
