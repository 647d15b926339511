// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of types and functions in printed form. Private to the printer.
#pragma once

#include <kiln/extension/language/type.h>

#include <string>

namespace kiln {

/// Maximum number of characters of a type in a message.
inline constexpr size_t short_size = 160;
/// Shortens `text` to about short_size characters.
std::string cut_short(std::string text);

/// Formats "Name", or "Mod.Name" if module Mod is not always visible. A function's type is printed by the
/// function's name.
std::string qualified_name(const TypeName &name);

} // namespace kiln
