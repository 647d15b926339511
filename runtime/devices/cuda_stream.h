// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels, streams, events and graphs of NVIDIA GPUs as backends of the public handles. They call component
// host and convert its results.
#pragma once

#include "device_backend.h"

#include <atomic>
#include <functional>
#include <mutex>

namespace kiln {

inline constexpr DeviceApi cuda_api{
    .kind = DeviceKind::Cuda, .clusters = true, .read_only_loads = true, .own_address_space = true};

/// A kernel on a GPU. After swap_in() the original code stays loaded: a concurrent launch takes no lock and
/// may be about to use it.
class CudaKernelBackend final : public KernelBackend {
public:
  explicit CudaKernelBackend(std::shared_ptr<const CudaKernel> loaded)
      : KernelBackend(cuda_api), loaded_(std::move(loaded)) {}
  Result<LaunchSuggestion> suggest(uint64_t shared_bytes) const override;
  Result<GlobalVariable> global(std::string_view name) const override;
  const Artifact *running() const override;
  bool swap_in(const KernelBackend &better) const override;
  void plan_coarse(CoarsePlan plan, std::function<void()> wanted) const override;
  bool take_coarse(const KernelBackend &other) const override;
  /// Sets the coarse entry that the kernel's own module contains. Call it before other threads see the
  /// kernel.
  void set_coarse(std::shared_ptr<const CudaKernel> entry) const;

  const std::shared_ptr<const CudaKernel> &kernel() const {
    return *current_.load(std::memory_order_acquire);
  }
  /// Returns the code for a launch of this shape: the swapped-in kernel, or the original if only that one
  /// supports the shape.
  const std::shared_ptr<const CudaKernel> &kernel_for(const LaunchShape &shape) const {
    const std::shared_ptr<const CudaKernel> &current = kernel();
    return &current == &loaded_ || current->check(shape).ok() ? current : loaded_;
  }
  /// Returns the coarse entry for this launch. Null: no coarse entry is loaded, or this launch may not use
  /// it.
  const std::shared_ptr<const CudaKernel> *coarse_for(const LaunchShape &shape,
                                                      std::span<const void *const> arguments,
                                                      const LaunchOptions &options) const {
    return coarse_plan_ ? find_coarse(shape, arguments, options) : nullptr;
  }
  const CoarsePlan &coarse_plan() const { return *coarse_plan_; }

private:
  const std::shared_ptr<const CudaKernel> *find_coarse(const LaunchShape &shape,
                                                       std::span<const void *const> arguments,
                                                       const LaunchOptions &options) const;
  const std::shared_ptr<const CudaKernel> loaded_;
  mutable std::mutex swapping_;
  /// Replacement set by swap_in(), once, before current_ points to it; null: none.
  mutable std::shared_ptr<const CudaKernel> better_;
  mutable std::atomic<const std::shared_ptr<const CudaKernel> *> current_{&loaded_};
  mutable std::optional<CoarsePlan> coarse_plan_; ///< set before the first launch
  mutable std::function<void()> coarse_wanted_;
  /// Number of launches that could have used a coarse entry; stops at 2.
  mutable std::atomic<uint32_t> coarse_launches_{0};
  /// Coarse entry, set once, before coarse_ points to it; null: none.
  mutable std::shared_ptr<const CudaKernel> coarse_entry_;
  mutable std::atomic<const std::shared_ptr<const CudaKernel> *> coarse_{nullptr};
};

std::shared_ptr<StreamBackend> cuda_stream_backend(std::shared_ptr<SessionRuntime> runtime,
                                                   std::shared_ptr<CudaStream> stream);
/// Returns the artifact that the next launch runs. Also works for a kernel of another device, which launch_in
/// rejects.
inline const Artifact &running_code(const LoadedKernel &kernel) {
  const Artifact *code = kernel.backend->running();
  return code ? *code : *kernel.artifact;
}

/// Launches a GPU kernel. Measures the launch if the runtime's timer is on.
Result<void> launch_in(CudaStream &stream, SessionRuntime &runtime, const LoadedKernel &kernel,
                       const LaunchShape &shape, std::span<const void *const> arguments,
                       const LaunchOptions &options);

} // namespace kiln
