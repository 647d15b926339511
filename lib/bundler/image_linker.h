// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links an object file as a bundle's image (bundle/format.h): at offset 0, with relocations for addresses,
// and imports for symbols of the process.
#pragma once

#include <kiln/result.h>

#include <string>
#include <string_view>

namespace kiln {

/// Omits everything unreachable from `entry`. Errors: Internal for an object that is not position-independent
/// or cannot be linked; Machine, naming functions that no process of this system has.
Result<std::string> link_image(std::string_view object, const std::string &entry);

} // namespace kiln
