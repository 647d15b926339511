// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells a program at run time which optional features its version of the library has.
#pragma once

#include <kiln/export.h>

#include <string_view>

namespace kiln::inline KILN_API_VERSION {

/// Returns true if the library supports an optional feature. docs/guide/embed-c.md lists the names; an
/// unknown name gives false. A supported name stays supported within a soname.
KILN_API bool has_feature(std::string_view name);

} // namespace kiln::inline KILN_API_VERSION
