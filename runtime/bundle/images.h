// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code of a bundle as the tables of architectures have it.
#pragma once

#include "format.h"

#include <architectures/architectures.h>

namespace kiln {

/// The flags of code for this architecture.
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

/// Of code for a GPU: a CodeRecord, or what the bundler makes one of.
template <class Code> GpuImage image_of(const Code &code) {
  return {.arch = {int(code.level), variant_of(code.flags)},
          .is_text = code.kind == bundle::CodeKind::Ptx,
          .isa = int(code.isa)};
}

} // namespace kiln
