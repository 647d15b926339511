// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One NVIDIA GPU: its primary context, memory, loaded kernels, launches, times.
#pragma once

#include "cuda_driver.h"

#include <kiln/abi.h>

#include <span>
#include <string_view>

namespace kiln {

/// Device memory; freed with the owner.
class CudaBuffer {
public:
  CudaBuffer() = default;
  CudaBuffer(CudaBuffer &&other) noexcept : driver_(std::move(other.driver_)), address_(std::exchange(other.address_, 0)), bytes_(other.bytes_) {}
  CudaBuffer &operator=(CudaBuffer &&other) noexcept;
  ~CudaBuffer();
  uint64_t address() const { return address_; }
  uint64_t bytes() const { return bytes_; }

private:
  friend class CudaDevice;
  std::shared_ptr<CudaDriver> driver_;
  uint64_t address_ = 0, bytes_ = 0;
};

/// A kernel of a loaded cubin, and where it reports its exceptions; unloaded with the owner.
class CudaKernel {
public:
  ~CudaKernel();
  CudaKernel(const CudaKernel &) = delete;
  CudaKernel &operator=(const CudaKernel &) = delete;

private:
  friend class CudaDevice;
  CudaKernel() = default;
  std::shared_ptr<CudaDriver> driver_;
  std::string name_;
  void *library_ = nullptr, *function_ = nullptr;
  bool has_state_ = false, cooperative_ = false;
  uint64_t static_shared_ = 0;
  abi::ExceptionRecord *exception_ = nullptr; ///< pinned: the device writes it, the host reads it
  abi::PtxKernelState state_{};
};

/// What a kernel reported, its texts read from the device.
struct CudaException {
  abi::ExceptionRecord record{};
  std::string name, location;
};

/// Thread-safe, but for one kernel: its launches have one exception record, so they belong to one thread at a time.
/// Whoever calls makes the device's context current on its thread.
class CudaDevice {
public:
  /// Error: Machine for a number that no device has, or a device before sm_50.
  static Result<std::shared_ptr<CudaDevice>> open(std::shared_ptr<CudaDriver> driver, int number);
  ~CudaDevice();
  CudaDevice(const CudaDevice &) = delete;
  CudaDevice &operator=(const CudaDevice &) = delete;

  const std::string &name() const { return name_; }
  int sm() const { return sm_; } ///< compute capability x 10

  Result<CudaBuffer> allocate(uint64_t bytes);
  Result<void> copy_in(const CudaBuffer &to, std::span<const std::byte> from);
  Result<void> copy_out(std::span<std::byte> to, const CudaBuffer &from);

  /// Loads a cubin now, with all its functions: no launch loads anything.
  struct KernelFacts {
    std::string entry;
    bool has_kernel_state = false;
    bool cooperative = false; ///< it waits for its whole grid: all blocks have to be resident
    uint64_t static_shared = 0;
  };
  Result<std::shared_ptr<CudaKernel>> load(std::string_view cubin, const KernelFacts &facts);
  /// Is the device able to run such a grid? Error: Usage.
  Result<void> check(const CudaKernel &kernel, const LaunchShape &shape) const;
  /// Puts a launch into the device's stream; arguments[i] points to the bytes of the i-th parameter. Allocates nothing.
  Result<void> launch(CudaKernel &kernel, const LaunchShape &shape, std::span<void *const> arguments);
  /// Waits for all launches. Error: Input as DeviceError, naming the kernel that was launched last, for a sticky one.
  Result<void> synchronize(const CudaKernel &last);
  /// The first exception since the last call; none: status 0. After synchronize.
  Result<CudaException> take_exception(CudaKernel &kernel);

  /// Times on the device: mark(0), launches, mark(1), synchronize, milliseconds.
  Result<void> mark(int which);
  Result<float> milliseconds_between_marks();

private:
  CudaDevice() = default;
  Result<void> enter();
  Result<std::string> read_text(uint64_t address);
  int attribute(int which) const;

  std::shared_ptr<CudaDriver> driver_;
  int device_ = 0, sm_ = 0;
  std::string name_;
  void *context_ = nullptr, *stream_ = nullptr;
  void *marks_[2] = {nullptr, nullptr};
  int max_threads_ = 0, max_shared_ = 0;
  int max_block_[3] = {}, max_grid_[3] = {};
};

} // namespace kiln
