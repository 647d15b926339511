// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An object file as a bundle's image (bundle/format.h): linked at offset 0, what depends on the address left
// as relocations, what the process has left as imports.
#pragma once

#include <kiln/result.h>

#include <string>
#include <string_view>

namespace kiln {

/// What `entry` does not reach is left out. Errors: Internal, for an object that is not position-independent
/// or cannot be linked; Machine, naming functions that no process of this system has.
Result<std::string> link_image(std::string_view object, const std::string &entry);

} // namespace kiln
