// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is behind the handles of kiln/stream.h.
#pragma once

#include "device.h"

#include <kiln/stream.h>

namespace kiln {

struct Kernel::State {
  std::shared_ptr<Device::State> device;
  std::shared_ptr<const Artifact> artifact;
  PreparedFunction prepared{};             ///< on the CPU
  std::shared_ptr<const CudaKernel> gpu{}; ///< or on a GPU
  std::vector<uint64_t> sizes{};           ///< of the parameters, in bytes
  std::vector<MemoryPart> memory{};        ///< empty for what load_kernel loaded: nobody knows its types
};

/// The host's event, or a GPU's, whichever was recorded last.
struct Event::State : HostEvent {
  struct OnGpu {
    std::shared_ptr<CudaEvent> event;
    std::shared_ptr<CudaCapture> capture; ///< that the record is part of
  };
  /// Nothing: the host's.
  std::optional<OnGpu> on_gpu() const {
    std::lock_guard lock(mutex);
    return gpu.event && last_on_gpu ? std::optional(gpu) : std::nullopt;
  }
  mutable std::mutex mutex;
  OnGpu gpu;
  bool last_on_gpu = false;
};

struct Graph::State {
  std::shared_ptr<CudaGraph> graph;
};

struct Stream::State {
  std::shared_ptr<Device::State> device;
  std::shared_ptr<HostStream> queue{}; ///< on the CPU
  std::shared_ptr<CudaStream> gpu{};   ///< or on a GPU
};

inline CudaLaunch cuda_launch(const LaunchShape &shape, const LaunchOptions &options) {
  return {.shape = shape,
          .cluster = options.cluster,
          .cooperative = options.cooperative,
          .programmatic_serialization = options.programmatic_serialization};
}
/// What a GPU cannot do, or the CPU. Error: Usage.
Result<void> check_options(const LaunchOptions &options, bool on_gpu);

} // namespace kiln
