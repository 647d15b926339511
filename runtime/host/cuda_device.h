// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One NVIDIA GPU in one of its contexts: what it can do, its memory.
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

/// Thread-safe. Whoever calls makes the device's context current on its thread, and leaves it so.
class CudaDevice {
public:
  /// In its primary context. Error: Machine for a number that no device has, or a device before sm_50.
  static Result<std::shared_ptr<CudaDevice>> open(std::shared_ptr<CudaDriver> driver, int number);
  /// In a context of the embedder's, which must outlive it.
  static Result<std::shared_ptr<CudaDevice>> open_context(std::shared_ptr<CudaDriver> driver, void *context);
  ~CudaDevice();
  CudaDevice(const CudaDevice &) = delete;
  CudaDevice &operator=(const CudaDevice &) = delete;

  static Result<GpuInfo> describe(const CudaDriver &driver, int number);

  /// Before the first allocation: buffers' memory is the embedder's. Null: a pool's.
  void set_allocator(std::shared_ptr<DeviceAllocator> allocator) { allocator_ = std::move(allocator); }

  CudaDriver &driver() const { return *driver_; }
  const GpuInfo &info() const { return info_; }
  const DeviceLimits &limits() const { return limits_; }
  void *context() const { return context_; }
  bool is_primary() const { return primary_; }

  /// Makes the context current. Others may have changed it, so it is asked for: a few nanoseconds where it
  /// is.
  Result<void> enter() {
    void *current = nullptr;
    if (driver_->ContextGetCurrent(&current) == 0 && current == context_) [[likely]]
      return {};
    return driver_->check(driver_->ContextSetCurrent(context_), "entering the GPU's context");
  }

  /// driver().error, which remembers a sticky one: later ones name it.
  Error error(int status, const std::string &what);
  Result<void> check(int status, const char *what) {
    if (status == 0) [[likely]]
      return {};
    return error(status, what);
  }

  // ---- memory. `stream` is a CUstream: memory is there for what is put into it from then on, and goes when
  // the stream comes to its end. Errors: Machine (out of memory, with what is used and free).
  Result<uint64_t> allocate(uint64_t bytes, void *stream);
  void release(uint64_t address, uint64_t bytes, void *stream);
  Result<void *> allocate_pinned(uint64_t bytes);
  void release_pinned(void *memory);
  MemoryCounters memory_counters();
  Result<void> trim(uint64_t keep);
  Result<void> set_kept_memory(uint64_t bytes);
  Result<std::pair<uint64_t, uint64_t>> free_and_total();
  /// Can kernels of this device reach the memory at `address`? Error: Usage, which says whose it is.
  Result<void> check_pointer(uint64_t address);
  Result<void> synchronize();

  // ---- captures begin and end on one thread, which loads and allocates nothing between.
  void capture_began();
  void capture_ended();
  bool captures_here() const;

private:
  CudaDevice();
  bool is_of_buffer(uint64_t address); ///< that this device has allocated
  Result<void> start(int number);
  Result<void *> pool(); ///< null: the device has none
  Result<uint64_t> allocate_from_pool(uint64_t bytes, void *stream);
  Result<uint64_t> allocate_from_embedder(uint64_t bytes, void *stream);
  void release_to_embedder(uint64_t address, uint64_t bytes, void *stream);
  Error no_memory(int status, uint64_t bytes, const std::string &why);

  std::shared_ptr<CudaDriver> driver_;
  std::shared_ptr<DeviceAllocator> allocator_; ///< null: `pool_`
  int device_ = 0;
  GpuInfo info_;
  DeviceLimits limits_;
  void *context_ = nullptr;
  bool primary_ = false, has_pools_ = false, reads_host_memory_ = false;

  mutable std::mutex mutex_;
  void *pool_ = nullptr;
  std::string lost_; ///< the first sticky error
  std::vector<std::thread::id> capturing_;
  std::shared_mutex buffers_mutex_;
  std::map<uint64_t, uint64_t> buffers_; ///< that live, with the first address behind each
  /// Of `buffers_`, since one went last: what a thread has seen under another number may be gone.
  std::atomic<uint64_t> buffers_stamp_;
  std::atomic<uint64_t> current_bytes_{0}, peak_bytes_{0}, allocations_{0};
};

} // namespace kiln
