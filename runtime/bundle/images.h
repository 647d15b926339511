// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts between a bundle's records of GPU code and the types of component architectures.
#pragma once

#include "format.h"

#include <architectures/architectures.h>

#include <fmt/format.h>

namespace kiln {

/// CodeRecord flags for code of this architecture variant.
inline uint32_t variant_flags(ArchVariant variant) {
  return variant == ArchVariant::Specific ? bundle::ArchSpecific
         : variant == ArchVariant::Family ? bundle::FamilySpecific
                                          : 0u;
}
inline ArchVariant variant_of(uint32_t flags) {
  return flags & bundle::ArchSpecific     ? ArchVariant::Specific
         : flags & bundle::FamilySpecific ? ArchVariant::Family
                                          : ArchVariant::Plain;
}

/// Name of the processors that can run code of kind CpuImage: "x86-64-v3", "aarch64", "neoverse-v2".
inline std::string cpu_level_name(uint32_t level) {
  if (level > bundle::aarch64_levels) return bundle::level_number(level) == 1 ? "aarch64" : "neoverse-v2";
  return fmt::format("x86-64-v{}", level);
}

/// Name of the SPIR-V version of code of kind Spirv: "spirv-1.2".
inline std::string spirv_name(uint32_t level) { return fmt::format("spirv-{}.{}", level / 10, level % 10); }

/// Describes GPU code of a bundle as a GpuImage. `Code` is CodeRecord or the bundler's struct with the same
/// members.
template <class Code> GpuImage image_of(const Code &code) {
  return {.arch = {int(code.level), variant_of(code.flags)},
          .is_text = code.kind == bundle::CodeKind::Ptx,
          .isa = int(code.isa)};
}

} // namespace kiln
