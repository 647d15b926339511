// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Julia's standard libraries that Kiln lacks, for the message about `using` one of them.
#pragma once

#include <span>
#include <string_view>

namespace kiln::julia {

struct StandardLibrary {
  std::string_view name;
  std::string_view what;    ///< purpose
  std::string_view instead; ///< replacement
  /// Exported names if they are few; empty: any unknown name may be one.
  std::span<const std::string_view> names;
};

/// Finds a standard library of Julia 1.10 that Kiln lacks. Null: no such library, or Kiln has it.
const StandardLibrary *missing_standard_library(std::string_view name);

} // namespace kiln::julia
