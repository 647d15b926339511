// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kiln/device_name.h>

#include <support/read_number.h>

#include <fmt/format.h>

namespace kiln {

Result<std::optional<int>> KILN_API_VERSION::gpu_of_name(std::string_view device) {
  constexpr std::string_view prefix = "cuda:";
  if (device == "cpu") return std::optional<int>();
  if (device == "cuda") return std::optional(0);
  const std::string_view digits =
      device.starts_with(prefix) ? device.substr(prefix.size()) : std::string_view();
  if (const auto number = read_number<int>(digits); number && digits.front() != '-') return number;
  return usage_error(fmt::format(
      "no device is named `{}`: take cpu, cuda (the first GPU), or cuda:N with a GPU's number from 0",
      device));
}

} // namespace kiln
