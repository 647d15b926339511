// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "architectures.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace kiln {

bool cubin_runs_on(GpuArch code, int sm) {
  if (code.variant == ArchVariant::Specific) return code.sm == sm;
  return code.family() == sm / 10 && code.sm <= sm;
}

bool ptx_runs_on(GpuArch code, int sm) {
  return code.variant == ArchVariant::Plain ? code.sm <= sm : cubin_runs_on(code, sm);
}

std::optional<size_t> choose_image(std::span<const GpuImage> images, const ImageUse &use) {
  std::optional<size_t> best;
  auto rank = [&](const GpuImage &image) {
    return std::tuple(image.is_text == use.prefer_ptx, image.arch.variant, image.arch.sm, image.isa);
  };
  for (size_t i = 0; i < images.size(); i++) {
    const GpuImage &image = images[i];
    const bool runs = image.is_text ? ptx_runs_on(image.arch, use.sm) && image.isa <= use.driver_isa
                                    : cubin_runs_on(image.arch, use.sm);
    if (runs && (!best || rank(image) > rank(images[*best]))) best = i;
  }
  return best;
}

std::string describe_image(const GpuImage &image) {
  return (image.is_text ? "PTX for " : "") + arch_name(image.arch);
}

std::string why_not(const GpuImage &image, const ImageUse &use) {
  const GpuArch &arch = image.arch;
  const std::string gpu = arch_name({use.sm, ArchVariant::Plain}), name = arch_name(arch);
  if (arch.sm > use.sm) return fmt::format("{} is newer than {}", name, gpu);
  if (arch.variant == ArchVariant::Specific && arch.sm != use.sm)
    return fmt::format("code for {} runs on sm_{} alone", name, arch.sm);
  if (arch.variant == ArchVariant::Family && arch.family() != use.sm / 10)
    return fmt::format("code for {} runs on GPUs of its family alone, sm_{} to sm_{}9", name, arch.sm,
                       arch.family());
  if (!image.is_text && arch.family() != use.sm / 10)
    return fmt::format("a cubin for {} runs on sm_{} to sm_{}9 alone", name, arch.sm, arch.family());
  const PtxIsaInfo *needed = find_isa(image.isa);
  if (image.is_text && needed)
    return fmt::format("it is PTX ISA {}, and the driver reads {}: a driver for CUDA {} ({}) or newer does",
                       isa_text(image.isa), use.driver_isa ? "up to " + isa_text(use.driver_isa) : "none",
                       cuda_text(needed->cuda), needed->driver);
  return fmt::format("it is PTX ISA {}, which the driver does not read", isa_text(image.isa));
}

std::string archs_for(int sm) {
  std::string list;
  auto add = [&](GpuArch arch) {
    if (first_isa(arch)) list += (list.empty() ? "" : ", ") + arch_name(arch);
  };
  const GpuArch own{architecture_up_to(sm).sm, ArchVariant::Plain};
  add(own);
  if (own.sm == sm) add({sm, ArchVariant::Specific});
  for (const ArchitectureInfo &row : architectures())
    if (const GpuArch family{row.sm, ArchVariant::Family}; cubin_runs_on(family, sm)) add(family);
  return list;
}

} // namespace kiln
