// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GPU code of a bundle, as component architectures describes it.
#pragma once

#include "format.h"

#include <architectures/architectures.h>

namespace kiln {

/// Flags of code for this architecture.
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

/// GPU image of a CodeRecord, or of the bundler's record for one.
template <class Code> GpuImage image_of(const Code &code) {
  return {.arch = {int(code.level), variant_of(code.flags)},
          .is_text = code.kind == bundle::CodeKind::Ptx,
          .isa = int(code.isa)};
}

} // namespace kiln
