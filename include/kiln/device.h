// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices, which run kernels, and their memory. Session::cpu and Session::gpu return devices. Objects made
// for one (kernels, streams, buffers) work with that device alone. Sizes are in bytes.
//
// Ownership, here and in kiln/stream.h: a handle keeps alive what it needs (the threads that run blocks, a
// GPU's context, a kernel's code), but never the compiler. So handles may be destroyed in any order, before
// or after their Session, and work on without it. An empty or moved-from handle may be destroyed, assigned to
// and queried; other operations on it are Usage errors. The embedder keeps alive what only it knows: memory
// that arguments point to, and its CUcontexts and CUstreams.
#pragma once

#include <kiln/export.h>
#include <kiln/job.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

namespace kiln {
struct DeviceAccess; // component devices
} // namespace kiln

namespace kiln::inline KILN_API_VERSION {

/// A GPU as the driver lists it. Asking for it makes no context.
struct GpuInfo {
  int number = -1; ///< as CUDA counts, CUDA_VISIBLE_DEVICES applied; -1: the CPU
  std::string name;
  int sm = 0; ///< compute capability x 10; 0: the CPU
  uint64_t memory_bytes = 0;
  uint32_t multiprocessors = 0; ///< the CPU: threads that run blocks
};

/// Maximum launch sizes of a device.
struct DeviceLimits {
  uint32_t threads_of_block = 0;
  std::array<uint32_t, 3> block{}, grid{}; ///< in each direction
  uint64_t shared_bytes = 0;               ///< of a block, static and dynamic together
  uint64_t shared_bytes_of_multiprocessor = 0;
  uint32_t registers_of_block = 0, warp = 32, threads_of_multiprocessor = 0;
  uint64_t l2_bytes = 0;
  bool cooperative = false; ///< grids whose blocks wait for each other
  bool clusters = false;    ///< LaunchOptions::cluster
};

/// Memory that Stream::allocate gave on a device, in this session.
struct MemoryCounters {
  uint64_t current_bytes = 0;  ///< in buffers that live
  uint64_t peak_bytes = 0;     ///< the most that current_bytes was
  uint64_t allocations = 0;    ///< buffers made since the device was opened
  uint64_t reserved_bytes = 0; ///< device memory held by the allocator, unused memory included
};

/// Memory of a device, or pinned memory of the host. It is freed when the object is destroyed, in the order
/// of its stream: work enqueued before may still use it. Work in other streams must have ended. Movable; a
/// moved-from object is empty. Different threads may own different ones.
class KILN_API Buffer {
public:
  Buffer() = default;
  Buffer(Buffer &&other) noexcept;
  Buffer &operator=(Buffer &&other) noexcept;
  ~Buffer();
  /// The address. A GPU's is for kernels and Stream::copy; pinned memory and the CPU's are the host's too.
  void *data() const { return data_; }
  template <class T> T *as() const { return static_cast<T *>(data_); }
  uint64_t bytes() const { return bytes_; }

private:
  friend class Device;
  friend class Stream;
  struct KILN_LOCAL Owner;
  void *data_ = nullptr;
  uint64_t bytes_ = 0;
  std::shared_ptr<Owner> owner_;
};

/// The CPU, or a GPU in one of its contexts. Cheap to copy; copies name the same. Thread-safe. A call that
/// reaches a GPU makes its context current on the calling thread and leaves it so.
class KILN_API Device {
public:
  Device() = default; ///< empty: neither
  explicit operator bool() const { return state_ != nullptr; }
  bool operator==(const Device &) const = default;

  bool is_gpu() const;
  const GpuInfo &info() const;        ///< for an empty handle: number -1 and no name
  const DeviceLimits &limits() const; ///< zeros for an empty handle
  /// The target to compile for: the host's CPU, or the newest architecture up to the GPU's for which this
  /// LLVM writes PTX.
  TargetSpec target() const;

  /// Host memory that a GPU copies to and from at full speed, in parallel to its work, and that its kernels
  /// access. The CPU: any memory. Errors: Machine; Usage while this thread captures a graph.
  Result<Buffer> allocate_pinned(uint64_t bytes) const;
  MemoryCounters memory() const;
  /// Bytes that are free on the device now, in any process's sight. Errors: Machine, DeviceError.
  Result<uint64_t> free_memory() const;
  /// Returns unused memory to the system, except `keep` bytes. Waits for the device.
  Result<void> trim(uint64_t keep = 0) const;
  /// Sets the amount of unused memory that the allocator keeps for later buffers; by default all, until
  /// trim().
  Result<void> set_kept_memory(uint64_t bytes) const;
  /// Waits for all streams of its context. Error: DeviceError, as Stream::synchronize; exceptions stay with
  /// their streams.
  Result<void> synchronize() const;
  void *native_context() const; ///< CUcontext; null: the CPU

  struct KILN_LOCAL State; ///< for Kiln itself

private:
  friend DeviceAccess;
  friend class Session;
  friend class Runtime;
  friend class BundleKernel;
  friend class Kernel;
  friend class Stream;
  explicit Device(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

} // namespace kiln::inline KILN_API_VERSION
