// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code on GPUs: a module is loaded once for all of them, a kernel is its function in one context.
#pragma once

#include "cuda_device.h"
#include "launch_limits.h"

#include <kiln/abi.h>
#include <kiln/job.h>

#include <unordered_map>

namespace kiln {

/// A cubin or PTX that the driver has loaded (a CUlibrary, of no context); unloaded with the owner.
class CudaModule {
public:
  static Result<std::shared_ptr<CudaModule>> load(CudaDevice &device, std::shared_ptr<CudaDriver> driver,
                                                  std::shared_ptr<const Artifact> artifact);
  ~CudaModule();
  CudaModule(const CudaModule &) = delete;
  CudaModule &operator=(const CudaModule &) = delete;
  void *library() const { return library_; }
  const Artifact &artifact() const { return *artifact_; }

private:
  CudaModule() = default;
  std::shared_ptr<CudaDriver> driver_;
  std::shared_ptr<const Artifact> artifact_;
  void *library_ = nullptr;
};

/// Of a session: what is loaded, so that kernels of one artifact, or of one merged cubin, share it.
/// Thread-safe.
class CudaModules {
public:
  /// Errors: Machine; Usage while this thread captures a graph and would have to load.
  Result<std::shared_ptr<CudaModule>> get(CudaDevice &device, const std::shared_ptr<CudaDriver> &driver,
                                          const std::shared_ptr<const Artifact> &artifact);

private:
  std::mutex mutex_;
  std::unordered_map<const Artifact *, std::weak_ptr<CudaModule>>
      loaded_; ///< a module keeps its artifact, so keys stay true
  size_t prune_at_ = 64;
};

/// A module's entry in a device's context, loaded whole: no launch loads anything. Thread-safe.
class CudaKernel {
public:
  /// `artifact`: whose entry it is; the module's own, or one that is merged into it. `name`: of the function,
  /// for messages; empty: what the entry tells.
  static Result<std::shared_ptr<CudaKernel>> make(std::shared_ptr<CudaDevice> device,
                                                  std::shared_ptr<CudaModule> module,
                                                  std::shared_ptr<const Artifact> artifact, std::string name);

  CudaDevice &device() const { return *device_; }
  const std::shared_ptr<CudaDevice> &shared_device() const { return device_; }
  const std::string &name() const { return name_; } ///< for messages
  const Artifact &artifact() const { return *artifact_; }
  void *function() const { return function_; }
  size_t parameters() const { return parameters_; } ///< without the kernel state
  bool has_state() const { return has_state_; }
  bool needs_cooperative_launch() const { return needs_cooperative_launch_; }

  /// Can the device run such a grid, with the registers that the kernel takes? Error: Usage.
  Result<void> check(const LaunchShape &shape) const {
    if (fits(shape, static_shared_, device_->limits(), max_threads_)) [[likely]]
      return {};
    return refused(shape);
  }
  struct Suggestion {
    int threads = 0, blocks = 0;
  };
  Result<Suggestion> suggest(uint64_t shared_bytes) const;
  /// Address and size of a variable of the module. Error: Input.
  Result<std::pair<uint64_t, uint64_t>> global(const std::string &name) const;

private:
  CudaKernel() = default;
  Error refused(const LaunchShape &shape) const;
  std::shared_ptr<CudaDevice> device_;
  std::shared_ptr<CudaModule> module_;
  std::string name_;
  std::shared_ptr<const Artifact> artifact_;
  void *function_ = nullptr;
  bool has_state_ = false, needs_cooperative_launch_ = false;
  size_t parameters_ = 0;
  uint64_t max_threads_ = 0, static_shared_ = 0;
  uint32_t registers_ = 0;
};

} // namespace kiln
