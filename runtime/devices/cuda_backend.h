// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's GPUs as devices, through the CUDA driver, which is opened when the first of them is asked for.
#pragma once

#include "device_backend.h"

#include <functional>

namespace kiln {

/// The GPUs that a session has opened. Thread-safe.
class CudaGpus {
public:
  explicit CudaGpus(std::shared_ptr<SessionRuntime> runtime) : runtime_(std::move(runtime)) {}

  /// What the driver lists. Errors: Machine.
  Result<std::vector<GpuInfo>> list();
  /// In its primary context. Errors: Machine.
  Result<std::shared_ptr<DeviceBackend>> open(int number);
  /// In one of the embedder's. Errors: Machine, Usage.
  Result<std::shared_ptr<DeviceBackend>> open_context(void *context);
  void finish(); ///< DeviceBackend::finish of each

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
