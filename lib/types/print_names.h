// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of types and functions as they print; private to the printer.
#pragma once

#include <kiln/extension/language/type.h>

#include <string>

namespace kiln {

/// Characters of a type that a message shows.
inline constexpr size_t short_size = 160;
/// `text` up to about as many characters.
std::string cut_short(std::string text);

/// "Name", or "Mod.Name" for a module that is not open everywhere; a function type's is its function's.
std::string qualified_name(const TypeName &name);

} // namespace kiln
