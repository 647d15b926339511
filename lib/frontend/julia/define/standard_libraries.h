// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Julia's standard libraries that Kiln does not bring: what `using` one says.
#pragma once

#include <span>
#include <string_view>

namespace kiln::julia {

struct StandardLibrary {
  std::string_view name;
  std::string_view what;    ///< what it is for
  std::string_view instead; ///< what there is in its place
  std::span<const std::string_view>
      names; ///< what it exports, where that is little; empty: any name may be one of its
};

/// Null: not one of those that Julia 1.10 comes with, or Kiln has it.
const StandardLibrary *missing_standard_library(std::string_view name);

} // namespace kiln::julia
