// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Faults of OpenCL drivers that make results wrong, and how a process avoids them.
#pragma once

#include <kiln/device.h>
#include <kiln/opencl.h>
#include <kiln/result.h>

namespace kiln {

/// Remembers the settings of the environment that the driver reads when it is loaded. Call it before that.
void note_driver_settings();

/// Checks that no known fault of the device's driver can make results wrong in this process. Error: Machine,
/// with the setting that avoids the fault.
Result<void> check_driver_faults(const GpuInfo &device);

} // namespace kiln
