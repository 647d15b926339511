// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code of a bundle as the tables of architectures have it.
#pragma once

#include "format.h"

#include <architectures/architectures.h>

namespace kiln {

/// Of code for a GPU: a CodeRecord, or what the bundler makes one of.
template <class Code> GpuImage image_of(const Code &code) {
  const ArchVariant variant = code.flags & bundle::ArchSpecific     ? ArchVariant::Specific
                              : code.flags & bundle::FamilySpecific ? ArchVariant::Family
                                                                    : ArchVariant::Plain;
  return {.arch = {int(code.level), variant},
          .is_text = code.kind == bundle::CodeKind::Ptx,
          .isa = int(code.isa)};
}

} // namespace kiln
