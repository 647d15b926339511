// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels, streams, events and graphs of NVIDIA's GPUs behind their handles. They hold what lib host has of
// each and turn its results into what the handles give.
#pragma once

#include "device_backend.h"

namespace kiln {

inline constexpr DeviceApi cuda_api{
    .is_gpu = true, .clusters = true, .read_only_loads = true, .own_address_space = true};

class CudaKernelBackend final : public KernelBackend {
public:
  explicit CudaKernelBackend(std::shared_ptr<const CudaKernel> loaded)
      : KernelBackend(cuda_api), kernel(std::move(loaded)) {}
  Result<LaunchSuggestion> suggest(uint64_t shared_bytes) const override;
  Result<GlobalVariable> global(std::string_view name) const override;

  const std::shared_ptr<const CudaKernel> kernel;
};

std::shared_ptr<StreamBackend> cuda_stream_backend(std::shared_ptr<SessionRuntime> runtime,
                                                   std::shared_ptr<CudaStream> stream);
/// The kernel is a GPU's.
Result<void> launch_in(CudaStream &stream, const LoadedKernel &kernel, const LaunchShape &shape,
                       std::span<const void *const> arguments, const LaunchOptions &options);

} // namespace kiln
