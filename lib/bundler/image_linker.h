// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links an object file as an image of a bundle (bundle/format.h). The image starts at offset 0, and has
// relocations for its own addresses and imports for symbols of the process.
#pragma once

#include <kiln/result.h>

#include <string>
#include <string_view>

namespace kiln {

/// Links `object` as an image, without code and data that `entry` does not use. Errors: Internal for an
/// object that is not position-independent or cannot be linked; Machine with the names of functions that this
/// system lacks.
Result<std::string> link_image(std::string_view object, const std::string &entry);

} // namespace kiln
