// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that a driver made of SPIR-V, and their kernels.
//
// Entry ABI of a kernel that Kiln compiled for SPIR-V:
//   argument 0   a struct by value: the address of an abi::ExceptionRecord, or 0 for an artifact without
//   kernel
//                state (8 bytes); the bytes of the block's dynamic shared memory (8 bytes); then each
//                parameter at the next multiple of its alignment; the size is a multiple of 8
//   argument 1   local memory: the block's dynamic shared memory, at least 16 bytes
// A kernel with warp operations requires a size of its sub-groups. Sub-groups follow the linear index of
// threads only in blocks of one dimension, so its work-groups are (x*y*z, 1, 1). The global offset then holds
// the block's extents (x, y, z), from which the kernel computes its indices.
#pragma once

#include "opencl_device.h"

#include <kiln/abi.h>
#include <kiln/job.h>

#include <span>
#include <unordered_map>

namespace kiln {

/// A cl_program. The last owner releases it.
class OpenClProgram {
public:
  /// Builds the SPIR-V of an artifact. Errors: Usage (an empty artifact), Input (no SPIR-V), Machine (the
  /// device lacks a feature, or its compiler rejects the code: the error contains the build log).
  static Result<std::shared_ptr<OpenClProgram>> build(std::shared_ptr<OpenClDevice> device,
                                                      const Artifact &artifact);
  ~OpenClProgram();
  OpenClProgram(const OpenClProgram &) = delete;
  OpenClProgram &operator=(const OpenClProgram &) = delete;
  void *handle() const { return handle_; }

private:
  OpenClProgram() = default;
  std::string build_log() const;
  std::shared_ptr<OpenClDevice> device_;
  void *handle_ = nullptr;
};

/// Programs of a device by artifact, so that an artifact is built once. Thread-safe.
class OpenClPrograms {
public:
  Result<std::shared_ptr<OpenClProgram>> get(const std::shared_ptr<OpenClDevice> &device,
                                             const std::shared_ptr<const Artifact> &artifact);

private:
  struct Built {
    std::weak_ptr<const Artifact> artifact; ///< an expired one may have left its address to another
    std::weak_ptr<OpenClProgram> program;
  };
  std::mutex mutex_;
  std::unordered_map<const Artifact *, Built> built_;
  size_t prune_at_ = 64;
};

/// A kernel of a program. Thread-safe: launches of several threads take turns at its arguments.
class OpenClKernel {
public:
  /// `name`: function name for messages. Errors: Usage (no entry of this name, another ABI, too many bytes of
  /// parameters), Machine.
  static Result<std::shared_ptr<OpenClKernel>> make(std::shared_ptr<OpenClDevice> device,
                                                    std::shared_ptr<OpenClProgram> program,
                                                    std::shared_ptr<const Artifact> artifact,
                                                    std::string name);
  ~OpenClKernel();
  OpenClKernel(const OpenClKernel &) = delete;
  OpenClKernel &operator=(const OpenClKernel &) = delete;

  OpenClDevice &device() const { return *device_; }
  const std::string &name() const { return name_; }
  const Artifact &artifact() const { return *artifact_; }
  uint64_t static_shared_bytes() const { return static_shared_bytes_; }
  uint64_t max_threads() const { return max_threads_; }         ///< of a block
  uint64_t thread_multiple() const { return thread_multiple_; } ///< block sizes should be a multiple of this

  /// Enqueues a launch whose shape the caller has checked. `exceptions`: record for the kernel's exceptions,
  /// in memory of the device. arguments[i] points to the bytes of parameter i. `event`: gets a cl_event of
  /// the launch, which the caller releases; null: none. Errors: those of the driver.
  Result<void> launch(void *queue, const LaunchShape &shape, const abi::ExceptionRecord *exceptions,
                      std::span<const void *const> arguments, void **event);

private:
  OpenClKernel() = default;
  Result<void> lay_out();
  Error failed(int status, std::string_view call) const;
  std::shared_ptr<OpenClDevice> device_;
  std::shared_ptr<OpenClProgram> program_;
  std::shared_ptr<const Artifact> artifact_;
  std::string name_;
  void *handle_ = nullptr;
  uint64_t max_threads_ = 0, static_shared_bytes_ = 0, thread_multiple_ = 1;
  bool is_linear_ = false; ///< work-groups have one dimension
  struct Place {
    uint32_t offset, bytes;
  };
  std::vector<Place> places_; ///< of the parameters in argument 0

  std::mutex mutex_;             ///< protects the cl_kernel's arguments and the members below
  std::vector<std::byte> block_; ///< bytes of argument 0
  uint64_t local_bytes_ = 0;     ///< size of argument 1; 0: not set yet
  uint64_t memory_stamp_ = 0;
};

} // namespace kiln
