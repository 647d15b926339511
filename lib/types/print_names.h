// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of types and functions as they print; private to the printer.
#pragma once

#include <kiln/extension/language/type.h>

namespace kiln {

/// "Name", or "Mod.Name" for a module that is not open everywhere; a function type's is its function's.
std::string qualified_name(const TypeName &name);

} // namespace kiln
