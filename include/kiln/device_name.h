// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads names of devices ("cpu", "cuda:1", "opencl") for the command line, programs and the C API.
#pragma once

#include <kiln/export.h>
#include <kiln/result.h>
#include <kiln/target.h>

#include <string>
#include <string_view>

namespace kiln::inline KILN_API_VERSION {

/// A device's name in parts.
struct DeviceName {
  DeviceKind kind = DeviceKind::Cpu;
  int number = 0; ///< the driver's number of the device, from 0; 0 for the CPU
  bool operator==(const DeviceName &) const = default;
};

/// Reads a device's name: "cpu", "cuda", "cuda:N", "opencl" or "opencl:N"; without a number it means the
/// first device. Does not check that the device exists. Any thread may call it. Error: Usage, for any other
/// text.
KILN_API Result<DeviceName> read_device_name(std::string_view name);
/// Returns the name: "cpu", "cuda:0", "opencl:1".
KILN_API std::string text_of(const DeviceName &name);

} // namespace kiln::inline KILN_API_VERSION
