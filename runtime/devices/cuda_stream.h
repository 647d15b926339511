// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels, streams, events and graphs of NVIDIA's GPUs behind their handles. They hold what lib host has of
// each and turn its results into what the handles give.
#pragma once

#include "device_backend.h"

#include <atomic>
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

  const std::shared_ptr<const CudaKernel> &kernel() const {
    return *current_.load(std::memory_order_acquire);
  }
  /// The one for a launch of this shape: one that fitted before a swap is not refused behind it.
  const std::shared_ptr<const CudaKernel> &kernel_for(const LaunchShape &shape) const {
    const std::shared_ptr<const CudaKernel> &current = kernel();
    return &current == &loaded_ || current->check(shape).ok() ? current : loaded_;
  }

private:
  const std::shared_ptr<const CudaKernel> loaded_;
  mutable std::mutex swapping_;
  mutable std::shared_ptr<const CudaKernel> better_; ///< set once, before current_ points to it
  mutable std::atomic<const std::shared_ptr<const CudaKernel> *> current_{&loaded_};
};

std::shared_ptr<StreamBackend> cuda_stream_backend(std::shared_ptr<SessionRuntime> runtime,
                                                   std::shared_ptr<CudaStream> stream);
/// What a launch from now on runs. `kernel` may be another device's: launch_in refuses it.
inline const Artifact &running_code(const LoadedKernel &kernel) {
  const Artifact *code = kernel.backend->running();
  return code ? *code : *kernel.artifact;
}

/// The kernel is a GPU's.
Result<void> launch_in(CudaStream &stream, const LoadedKernel &kernel, const LaunchShape &shape,
                       std::span<const void *const> arguments, const LaunchOptions &options);

} // namespace kiln
