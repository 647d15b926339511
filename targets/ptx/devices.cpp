// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

#include <fmt/format.h>

#include <algorithm>

namespace kiln::ptx {

Result<TargetSpec> spec_for_device(TargetSpec spec, const DeviceFacts &device) {
  const PtxOptions options = spec.get<PtxOptions>();
  const GpuArch arch = arch_of(options);
  if (!ptx_runs_on(arch, device.compute_capability))
    return usage_error(fmt::format(
        "code for {} does not run on {}, which is sm_{} ({} do): leave the target to the device, or take Device::target()",
        arch_name(arch), device.name, device.compute_capability, archs_for(device.compute_capability)));
  if (options.ptx_isa == 0) spec.edit<PtxOptions>().ptx_isa = default_isa_for(arch, device.cuda);
  return spec;
}

static TargetSpec with_arch(const TargetSpec &spec, GpuArch arch) {
  TargetSpec other = spec;
  PtxOptions &options = other.edit<PtxOptions>();
  // A recorded job contains the default PTX ISA that the target filled in, not a choice of the user.
  const bool is_default = options.ptx_isa == default_isa(arch_of(options));
  set_arch(options, arch);
  if (is_default)
    options.ptx_isa = default_isa(arch);
  else if (options.ptx_isa)
    options.ptx_isa = std::max(options.ptx_isa, first_isa(arch));
  return other;
}

std::optional<TargetSpec> spec_for_architecture(const TargetSpec &spec, std::string_view name) {
  const auto arch = parse_arch(name);
  return arch ? std::optional(with_arch(spec, *arch)) : std::nullopt;
}

std::optional<TargetSpec> retry_with_specific(const Error &error, const TargetSpec &spec,
                                              const DeviceFacts &device) {
  const GpuArch specific{device.compute_capability, ArchVariant::Specific};
  if (arch_of(spec.get<PtxOptions>()) != GpuArch{specific.sm} || !first_isa(specific) ||
      std::ranges::none_of(error.diagnostics(),
                           [](const Diagnostic &each) { return each.code == ErrorCode::NeedsArchitecture; }))
    return std::nullopt;
  return with_arch(spec, specific);
}

} // namespace kiln::ptx
