// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is behind the handles of kiln/device.h.
#pragma once

#include "session.h"

namespace kiln {

struct Device::State {
  std::shared_ptr<SessionRuntime> runtime;
  GpuInfo info{};
  DeviceLimits limits{};
  std::shared_ptr<CudaDevice> gpu{};                                     ///< null: the CPU
  std::atomic<uint64_t> current_bytes{0}, peak_bytes{0}, allocations{0}; ///< of the CPU's buffers
  std::mutex mutex{};
  std::vector<std::shared_ptr<CudaStream>> idle_streams{}; ///< of launches that were waited for

  Result<std::shared_ptr<CudaStream>> take_stream();
};

/// Gives a buffer's memory back.
struct Buffer::Owner {
  std::shared_ptr<Device::State> device;
  std::shared_ptr<CudaStream> gpu{};   ///< it came from this stream
  std::shared_ptr<HostStream> queue{}; ///< or from this one; neither: pinned, or the CPU's own
  void release(void *data, uint64_t bytes);
};

Error empty_device();
/// What to compile for a device.
TargetSpec target_of(const Device::State &device);
/// Of host memory; aligned for vectors.
void *allocate_host(uint64_t bytes);

} // namespace kiln
