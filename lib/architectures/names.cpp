// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "architectures.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace kiln {

std::string arch_name(GpuArch arch) {
  return fmt::format("sm_{}{}", arch.sm,
                     arch.variant == ArchVariant::Specific ? "a"
                     : arch.variant == ArchVariant::Family ? "f"
                                                           : "");
}

std::optional<GpuArch> parse_arch(std::string_view text) {
  constexpr std::string_view prefix = "sm_";
  if (!text.starts_with(prefix)) return std::nullopt;
  GpuArch arch;
  const char *end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + prefix.size(), end, arch.sm);
  const std::string_view suffix(stop, size_t(end - stop));
  if (error != std::errc() || arch.sm < 0) return std::nullopt;
  if (suffix == "a")
    arch.variant = ArchVariant::Specific;
  else if (suffix == "f")
    arch.variant = ArchVariant::Family;
  else if (!suffix.empty())
    return std::nullopt;
  return arch;
}

Result<void> check_known(GpuArch arch) {
  constexpr int thor = 101, thor_now = 110; // renamed in PTX ISA 9.0
  if (arch.sm == thor)
    return usage_error(
        fmt::format("{} is called {} since CUDA 13.0", arch_name(arch), arch_name({thor_now, arch.variant})));
  if (!first_isa(arch))
    return usage_error(
        fmt::format("there is no architecture {}; allowed are {}", arch_name(arch), list_architectures()));
  return {};
}

Result<std::vector<GpuArch>> parse_archs(std::string_view option, std::string_view text) {
  std::vector<GpuArch> all;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view name = text.substr(begin, end - begin);
    begin = end + 1;
    const auto arch = parse_arch(name);
    if (!arch)
      return usage_error(
          fmt::format("{} takes sm_<number>, such as sm_90, sm_90a or sm_100f, not `{}`", option, name));
    KILN_CHECK(check_known(*arch));
    if (std::ranges::find(all, *arch) == all.end()) all.push_back(*arch);
  }
  return all;
}

} // namespace kiln
