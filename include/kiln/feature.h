// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of this library's features, for programs that run with several versions of it.
#pragma once

#include <kiln/export.h>

#include <string_view>

namespace kiln::inline KILN_API_VERSION {

/// Returns true if the library supports an optional feature. docs/guide/embed-c.md lists the names; an
/// unknown name is not supported. A supported name stays supported within a soname.
KILN_API bool has_feature(std::string_view name);

} // namespace kiln::inline KILN_API_VERSION
