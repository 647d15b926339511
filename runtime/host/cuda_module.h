// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loaded code on GPUs. A module is loaded once for all GPUs; a kernel is one of its functions in one context.
#pragma once

#include "cuda_device.h"
#include "launch_limits.h"

#include <kiln/abi.h>
#include <kiln/job.h>

#include <unordered_map>

namespace kiln {

/// A loaded cubin or PTX (CUlibrary, independent of contexts). The last owner unloads it.
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

/// Loaded modules of a session, shared by kernels of one artifact or one merged cubin. Thread-safe.
class CudaModules {
public:
  /// Loads the artifact's module, or returns the loaded one. Errors: Machine; Usage if a load is needed while
  /// this thread captures a graph.
  Result<std::shared_ptr<CudaModule>> get(CudaDevice &device, const std::shared_ptr<CudaDriver> &driver,
                                          const std::shared_ptr<const Artifact> &artifact);

private:
  std::mutex mutex_;
  std::unordered_map<const Artifact *, std::weak_ptr<CudaModule>>
      loaded_; ///< loaded modules by artifact; a module owns its artifact, so that the key stays unique
  size_t prune_at_ = 64;
};

/// A kernel function of a module in a device's context. Its code is loaded at creation, so that launches load
/// nothing. Thread-safe.
class CudaKernel {
public:
  /// `artifact` describes the kernel: the module's own artifact, or one that was merged into the module.
  /// `name`: function name for messages; empty: derived from the entry symbol.
  static Result<std::shared_ptr<CudaKernel>> make(std::shared_ptr<CudaDevice> device,
                                                  std::shared_ptr<CudaModule> module,
                                                  std::shared_ptr<const Artifact> artifact, std::string name);

  CudaDevice &device() const { return *device_; }
  const std::shared_ptr<CudaDevice> &shared_device() const { return device_; }
  const std::string &name() const { return name_; } ///< in messages
  const Artifact &artifact() const { return *artifact_; }
  void *function() const { return function_; }
  size_t parameters() const { return parameters_; } ///< without the kernel state
  bool has_state() const { return has_state_; }
  bool needs_cooperative_launch() const { return needs_cooperative_launch_; }

  /// Checks that the device can run this grid with the kernel's register count. Error: Usage.
  Result<void> check(const LaunchShape &shape) const {
    if (fits(shape, static_shared_, device_->limits(), max_threads_)) [[likely]]
      return {};
    return refused(shape);
  }
  struct Suggestion {
    int threads = 0, blocks = 0;
  };
  Result<Suggestion> suggest(uint64_t shared_bytes) const;
  /// Returns address and size of the module's global variable with this name. Error: Input.
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
