// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices of a session or of a Runtime.
#pragma once

#include "cuda_backend.h"
#include "opencl_backend.h"

#include <kiln/device_name.h>

namespace kiln {

/// Opened devices. Public handles may keep a device longer than this set. Thread-safe.
class Devices {
public:
  explicit Devices(std::shared_ptr<SessionRuntime> runtime);
  ~Devices(); ///< waits for launches, whose memory the embedder may free after the session
  Devices(const Devices &) = delete;
  Devices &operator=(const Devices &) = delete;

  /// Checks that the device belongs to this set. Error: Usage, also for an empty handle.
  Result<void> check(const Device &device) const;
  Result<void> check(const DeviceBackend *device) const;
  /// Opens the CPU at the first call. The oneTBB arena of that call's thread determines the number of
  /// threads.
  const std::shared_ptr<DeviceBackend> &cpu();
  CudaGpus &gpus() { return gpus_; }
  /// Opens a device. Error: Machine.
  Result<std::shared_ptr<DeviceBackend>> open(const DeviceName &name);
  /// Lists the devices of a kind. Error: Machine.
  Result<std::vector<GpuInfo>> list(DeviceKind kind);

private:
  const std::shared_ptr<SessionRuntime> runtime_;
  std::once_flag cpu_is_made_;
  std::shared_ptr<DeviceBackend> cpu_; ///< null: not requested yet
  CudaGpus gpus_;
  OpenClDevices opencl_;
};

} // namespace kiln
