// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices, on which kernels run, and their memory. Session::cpu and Session::gpu return devices. Kernels,
// streams and buffers belong to one device and work only with it. Sizes are in bytes.
//
// Ownership, here and in kiln/stream.h: a handle keeps alive the objects that it needs: threads that run
// blocks, a GPU's context, a kernel's code, but never the compiler. Handles may therefore be destroyed in any
// order and stay usable after their Session. Empty and moved-from handles may be destroyed, assigned to and
// queried; other operations on them are Usage errors. The embedder must keep alive memory that arguments
// point to, and CUcontexts and CUstreams that it passed in.
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

/// Properties of a device as its driver reports them. Reading them creates no context.
struct GpuInfo {
  /// The driver's number of the device: CUDA's, after CUDA_VISIBLE_DEVICES, or the position among all OpenCL
  /// devices that accept SPIR-V; -1: the CPU
  int number = -1;
  std::string name;
  int sm = 0; ///< compute capability x 10 of an NVIDIA GPU, such as 90; 0: another device
  uint64_t memory_bytes = 0;
  uint32_t multiprocessors = 0; ///< OpenCL: compute units; on the CPU: number of threads that run blocks
  DeviceKind kind = DeviceKind::Cpu;
  /// OpenCL: platform and version of the driver, and the versions of SPIR-V that it accepts. Else empty.
  std::string driver = {};
};

/// Limits of a device for launches.
struct DeviceLimits {
  uint32_t threads_of_block = 0;
  std::array<uint32_t, 3> block{}, grid{}; ///< in each direction
  uint64_t shared_bytes = 0;               ///< maximum of a block, static and dynamic together
  uint64_t shared_bytes_of_multiprocessor = 0;
  uint32_t registers_of_block = 0, warp = 32, threads_of_multiprocessor = 0;
  uint64_t l2_bytes = 0;
  bool cooperative = false; ///< supports cooperative launches, whose blocks may wait for each other
  bool clusters = false;    ///< LaunchOptions::cluster
};

/// Counters of the memory that Stream::allocate allocated on a device in this session.
struct MemoryCounters {
  uint64_t current_bytes = 0;  ///< in buffers that live
  uint64_t peak_bytes = 0;     ///< the most that current_bytes was
  uint64_t allocations = 0;    ///< number of buffers allocated since the device was opened
  uint64_t reserved_bytes = 0; ///< device memory that the allocator holds, unused memory included
};

/// Owns memory of a device, or pinned memory of the host. The destructor frees the memory in the order of the
/// allocating stream: work submitted to that stream earlier may still use it. Work of other streams must be
/// done with it. Movable; a moved-from buffer is empty. Not thread-safe, but threads may use different
/// buffers at once.
class KILN_API Buffer {
public:
  Buffer() = default;
  Buffer(Buffer &&other) noexcept;
  Buffer &operator=(Buffer &&other) noexcept;
  ~Buffer();
  /// Returns the address. Kernels and Stream::copy can use any address; the host can use only pinned memory
  /// and memory of the CPU device.
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

/// The CPU, a GPU with one of its CUDA contexts, or an OpenCL device. Cheap to copy: copies refer to the same
/// device. Thread-safe. A call that uses a GPU of CUDA makes its context current on the calling thread and
/// leaves it current.
class KILN_API Device {
public:
  Device() = default; ///< empty: neither
  explicit operator bool() const { return state_ != nullptr; }
  bool operator==(const Device &) const = default;

  DeviceKind kind() const;            ///< of an empty handle: Cpu
  bool is_gpu() const;                ///< not the CPU device: CUDA or OpenCL
  const GpuInfo &info() const;        ///< empty handle: number -1 and no name
  const DeviceLimits &limits() const; ///< of an empty handle: zeros
  /// Returns the target to compile for: the host's CPU; the newest architecture that both the GPU and this
  /// LLVM support; or SPIR-V with the device's features.
  TargetSpec target() const;

  /// Allocates pinned host memory: a GPU copies it at full speed while it runs kernels, and its kernels can
  /// access it. On the CPU, ordinary memory. Errors: Machine; Usage while this thread captures a graph.
  Result<Buffer> allocate_pinned(uint64_t bytes) const;
  MemoryCounters memory() const;
  /// Returns the number of free bytes on the device now, over all processes. OpenCL does not report it: there
  /// the result is the device's memory less this session's buffers. Errors: Machine, DeviceError.
  Result<uint64_t> free_memory() const;
  /// Returns memory that no buffer uses to the system, but keeps `keep` bytes of it. Waits for the device.
  Result<void> trim(uint64_t keep = 0) const;
  /// Sets how much freed memory the allocator keeps for later buffers. The default is to keep all until
  /// trim().
  Result<void> set_kept_memory(uint64_t bytes) const;
  /// Waits for all streams of the device's context. Error: DeviceError, as for Stream::synchronize.
  /// Exceptions of kernels are reported by Stream::synchronize only.
  Result<void> synchronize() const;
  void *native_context() const; ///< CUcontext or cl_context; null: the CPU

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
