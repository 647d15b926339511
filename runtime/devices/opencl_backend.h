// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenCL devices as devices of a session. The driver is opened at the first request for one.
#pragma once

#include "device_backend.h"

#include <opencl/opencl.h>

namespace kiln {

/// OpenCL devices that a session or Runtime has opened. Thread-safe.
class OpenClDevices {
public:
  explicit OpenClDevices(std::shared_ptr<SessionRuntime> runtime) : runtime_(std::move(runtime)) {}

  /// Lists the devices that accept SPIR-V. Error: Machine.
  Result<std::vector<GpuInfo>> list();
  /// Opens a device in a context of its own. Error: Machine.
  Result<std::shared_ptr<DeviceBackend>> open(int number);

private:
  Result<std::shared_ptr<OpenClDriver>> driver(); ///< under the mutex

  const std::shared_ptr<SessionRuntime> runtime_;
  std::mutex mutex_;
  std::shared_ptr<OpenClDriver> driver_; ///< null: not opened yet
  std::vector<std::shared_ptr<DeviceBackend>> opened_;
};

} // namespace kiln
