// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA GPUs as devices. The CUDA driver is opened at the first request for a GPU.
#pragma once

#include "device_backend.h"

#include <functional>

namespace kiln {

/// GPUs that a session or Runtime has opened. Thread-safe.
class CudaGpus {
public:
  explicit CudaGpus(std::shared_ptr<SessionRuntime> runtime) : runtime_(std::move(runtime)) {}

  /// Lists the GPUs that the driver reports. Error: Machine.
  Result<std::vector<GpuInfo>> list();
  /// Opens the GPU's primary context. Errors: Machine.
  Result<std::shared_ptr<DeviceBackend>> open(int number);
  /// Uses a context of the embedder. Errors: Machine, Usage.
  Result<std::shared_ptr<DeviceBackend>> open_context(void *context);
  void finish(); ///< calls DeviceBackend::finish of each

private:
  struct Opened {
    std::shared_ptr<CudaDevice> device;
    std::shared_ptr<DeviceBackend> backend;
  };
  Result<std::shared_ptr<CudaDriver>> driver(); ///< under the mutex
  std::shared_ptr<DeviceBackend> add(std::shared_ptr<CudaDevice> device);

  const std::shared_ptr<SessionRuntime> runtime_;
  std::mutex mutex_;
  std::shared_ptr<CudaDriver> driver_;                                           ///< null: not opened yet
  const std::shared_ptr<CudaModules> modules_ = std::make_shared<CudaModules>(); ///< shared by the GPUs
  std::vector<Opened> opened_;
};

} // namespace kiln
