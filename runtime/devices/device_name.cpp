// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kiln/device_name.h>
#include <support/read_number.h>
#include <fmt/format.h>
namespace kiln {
Result<DeviceName> KILN_API_VERSION::read_device_name(std::string_view device) {
  if (device == "cpu") return DeviceName{};
  if (device == "cuda") return DeviceName{DeviceKind::Cuda, 0};
  return usage_error("temp");
}
}
