// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels, streams, events and graphs of NVIDIA's GPUs behind their handles. They hold what lib host has of
// each and turn its results into what the handles give.
#pragma once

#include "device_backend.h"

#include <atomic>
#include <functional>
#include <mutex>

namespace kiln {

inline constexpr DeviceApi cuda_api{
    .is_gpu = true, .clusters = true, .read_only_loads = true, .own_address_space = true};

/// What it was made of stays loaded as long as it lives, also after another kernel was swapped in: a launch
/// may be about to take it, and takes no lock.
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
  /// The entry that came with the kernel's own module. Before the kernel is handed to anybody.
  void set_coarse(std::shared_ptr<const CudaKernel> entry) const;

  const std::shared_ptr<const CudaKernel> &kernel() const {
    return *current_.load(std::memory_order_acquire);
  }
  /// The one for a launch of this shape: one that fitted before a swap is not refused behind it.
  const std::shared_ptr<const CudaKernel> &kernel_for(const LaunchShape &shape) const {
    const std::shared_ptr<const CudaKernel> &current = kernel();
    return &current == &loaded_ || current->check(shape).ok() ? current : loaded_;
  }
  /// Its coarse entry, if it is there and this launch may take it; else null.
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
  mutable std::shared_ptr<const CudaKernel> better_; ///< set once, before current_ points to it
  mutable std::atomic<const std::shared_ptr<const CudaKernel> *> current_{&loaded_};
  mutable std::optional<CoarsePlan> coarse_plan_; ///< as the next: set before anybody launches it
  mutable std::function<void()> coarse_wanted_;
  mutable std::atomic<uint32_t> coarse_launches_{0};       ///< that could have taken an entry, up to some
  mutable std::shared_ptr<const CudaKernel> coarse_entry_; ///< set once, before coarse_ points to it
  mutable std::atomic<const std::shared_ptr<const CudaKernel> *> coarse_{nullptr};
};

std::shared_ptr<StreamBackend> cuda_stream_backend(std::shared_ptr<SessionRuntime> runtime,
                                                   std::shared_ptr<CudaStream> stream);
/// What a launch from now on runs. `kernel` may be another device's: launch_in refuses it.
inline const Artifact &running_code(const LoadedKernel &kernel) {
  const Artifact *code = kernel.backend->running();
  return code ? *code : *kernel.artifact;
}

/// The kernel is a GPU's. Notes the launch while `runtime` times.
Result<void> launch_in(CudaStream &stream, SessionRuntime &runtime, const LoadedKernel &kernel,
                       const LaunchShape &shape, std::span<const void *const> arguments,
                       const LaunchOptions &options);

} // namespace kiln
