// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of the stages' products, as `kiln compile --emit` takes them.
#pragma once

#include <kiln/job.h>

#include <string_view>

namespace kiln {

constexpr std::string_view product_name(ArtifactKind kind) {
  constexpr std::string_view names[] = {"lowered", "typed", "llvm", "llvm-opt", "asm", "obj", "cubin"};
  return names[size_t(kind)];
}

} // namespace kiln
