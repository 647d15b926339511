// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices of a session or of a Runtime.
#pragma once

#include "cuda_backend.h"

namespace kiln {

/// Set of devices. Handles may keep devices longer. Thread-safe.
class Devices {
public:
  explicit Devices(std::shared_ptr<SessionRuntime> runtime);
  ~Devices(); ///< waits for launches that may use memory freed after the session
  Devices(const Devices &) = delete;
  Devices &operator=(const Devices &) = delete;

  /// Checks that the device belongs to this session. Error: Usage, also for an empty handle.
  Result<void> check(const Device &device) const;
  Result<void> check(const DeviceBackend *device) const;
  /// Made at the first request: the calling thread's arena determines the number of threads.
  const std::shared_ptr<DeviceBackend> &cpu();
  CudaGpus &gpus() { return gpus_; }

private:
  const std::shared_ptr<SessionRuntime> runtime_;
  std::once_flag cpu_is_made_;
  std::shared_ptr<DeviceBackend> cpu_; ///< null: not requested yet
  CudaGpus gpus_;
};

} // namespace kiln
