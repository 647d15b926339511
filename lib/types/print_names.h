// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printed names of types and functions; private to the printer.
#pragma once

#include <kiln/extension/language/type.h>

#include <string>

namespace kiln {

/// Maximum characters of a type in a message.
inline constexpr size_t short_size = 160;
/// Shortens `text` to about that length.
std::string cut_short(std::string text);

/// "Name", or "Mod.Name" unless the module is always open. A function type has the function's name.
std::string qualified_name(const TypeName &name);

} // namespace kiln
