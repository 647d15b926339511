// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What this library can do, for programs that run with several versions of it.
#pragma once

#include <kiln/export.h>

#include <string_view>

namespace kiln::inline KILN_API_VERSION {

/// Whether the library has something that a program may do without. docs/guide/embed-c.md lists the names;
/// one that it does not know is one that it has not. A name that was true once stays true within a soname.
KILN_API bool has_feature(std::string_view name);

} // namespace kiln::inline KILN_API_VERSION
