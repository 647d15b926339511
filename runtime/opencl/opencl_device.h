// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One OpenCL device in a context of its own: properties and memory.
#pragma once

#include "opencl_driver.h"

#include <atomic>
#include <map>
#include <mutex>
#include <shared_mutex>

namespace kiln {

/// A device in a context. Thread-safe.
///
/// A pool keeps freed buffers for later allocations. The queue in which a buffer was freed reuses it at once.
/// Other queues reuse it after the work that preceded the free.
class OpenClDevice {
public:
  /// Makes a context with the device. `memory`: kind of memory to use instead of the best one, for tests.
  /// Error: Machine, also for a device whose memory Kiln cannot use.
  static Result<std::shared_ptr<OpenClDevice>> open(std::shared_ptr<OpenClDriver> driver, int number,
                                                    OpenClMemory memory = OpenClMemory::Usm);
  ~OpenClDevice();
  OpenClDevice(const OpenClDevice &) = delete;
  OpenClDevice &operator=(const OpenClDevice &) = delete;

  const OpenClDriver &driver() const { return *driver_; }
  const OpenClUsmFunctions &usm() const { return usm_; }
  const OpenClFacts &facts() const { return facts_; }
  void *context() const { return context_; } ///< cl_context
  bool has_usm() const { return facts_.memory == OpenClMemory::Usm; }

  // ---- memory. `queue` is an in-order cl_command_queue of this context. Work enqueued after allocate() may
  // use the memory. release() frees the memory after work enqueued earlier. Errors: OutOfMemory, with the
  // bytes in use; Machine.
  Result<void *> allocate(uint64_t bytes, void *queue);
  void release(void *data, uint64_t bytes, void *queue);
  /// Memory that host and kernels access at the same time.
  Result<void *> allocate_pinned(uint64_t bytes);
  void release_pinned(void *data);
  MemoryCounters counters();
  /// Returns the memory that this device does not use: OpenCL does not report what other processes use.
  uint64_t free_bytes();
  void trim(uint64_t keep); ///< waits for the work that preceded the frees
  void set_kept_memory(uint64_t bytes);
  /// Checks that kernels of this device can access `address`. Error: Usage.
  Result<void> check_pointer(uint64_t address);

  /// Tells a kernel that it may access all memory of this device. Call it under the kernel's lock before each
  /// launch. `stamp`: state of the kernel between the calls, 0 at first.
  Result<void> grant_memory(void *kernel, uint64_t &stamp) {
    if (stamp == blocks_stamp_.load(std::memory_order_acquire)) [[likely]]
      return {};
    return grant_new_memory(kernel, stamp);
  }

private:
  /// A freed block that the pool keeps.
  struct Kept {
    void *data = nullptr;
    const void *queue = nullptr; ///< queue in which it was freed
    void *event = nullptr;       ///< reached when the work that preceded the free is done
  };
  OpenClDevice() = default;
  Result<void> grant_new_memory(void *kernel, uint64_t &stamp);
  Result<void *> make_block(uint64_t bytes, bool is_pinned);
  void free_block(void *data);
  void *take_kept(uint64_t bytes, const void *queue); ///< null: no kept block fits; under pool_mutex_
  bool is_done(Kept &kept) const;
  /// Frees kept blocks until at most `keep` bytes are left; under pool_mutex_. `waits`: also those whose
  /// preceding work still runs.
  void shrink(uint64_t keep, bool waits);
  Error no_memory(uint64_t bytes, std::string_view what, const Error &why);

  std::shared_ptr<OpenClDriver> driver_;
  OpenClUsmFunctions usm_;
  OpenClFacts facts_;
  void *context_ = nullptr;

  std::mutex pool_mutex_;              ///< protects the pool
  std::multimap<uint64_t, Kept> kept_; ///< by size
  uint64_t kept_bytes_ = 0, max_kept_bytes_ = UINT64_MAX, reserved_bytes_ = 0;
  uint64_t current_bytes_ = 0, peak_bytes_ = 0, allocations_ = 0;

  std::shared_mutex blocks_mutex_;
  std::map<uint64_t, uint64_t> blocks_; ///< all allocated blocks, kept and pinned ones too: address -> bytes
  /// Raised when a block is allocated, if kernels must be told of each block; else 1.
  std::atomic<uint64_t> blocks_stamp_{1};
};

} // namespace kiln
