// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Julia's standard libraries that Kiln lacks, for the message of a `using` of one.
#pragma once

#include <span>
#include <string_view>

namespace kiln::julia {

struct StandardLibrary {
  std::string_view name;
  std::string_view what;                   ///< purpose
  std::string_view instead;                ///< replacement
  std::span<const std::string_view> names; ///< exported names, if few; empty: any name may be one
};

/// Null if the name is no standard library of Julia 1.10, or one that Kiln has.
const StandardLibrary *missing_standard_library(std::string_view name);

} // namespace kiln::julia
