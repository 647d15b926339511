// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kiln/device_name.h>

#include <support/read_number.h>

#include <fmt/format.h>

namespace kiln {

Result<DeviceName> KILN_API_VERSION::read_device_name(std::string_view name) {
  if (name == "cpu") return DeviceName();
  for (const DeviceKind kind : {DeviceKind::Cuda, DeviceKind::OpenCl}) {
    const std::string_view word = device_kind_names[size_t(kind)];
    if (!name.starts_with(word)) continue;
    std::string_view rest = name.substr(word.size());
    if (rest.empty()) return DeviceName{kind, 0};
    if (rest[0] != ':') continue;
    rest.remove_prefix(1);
    if (const auto number = read_number<int>(rest); number && rest.front() != '-')
      return DeviceName{kind, *number};
  }
  return usage_error(fmt::format("no device is named `{}`: take cpu, cuda or opencl (the first GPU or OpenCL "
                                 "device), cuda:N or opencl:N with a number from 0",
                                 name));
}

std::string KILN_API_VERSION::text_of(const DeviceName &name) {
  const std::string_view kind = device_kind_names[size_t(name.kind)];
  return name.kind == DeviceKind::Cpu ? std::string(kind) : fmt::format("{}:{}", kind, name.number);
}

} // namespace kiln
