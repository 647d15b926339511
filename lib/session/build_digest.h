// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace kiln {

/// A digest of everything in Kiln that products depend on, made when the program was built. Two builds share
/// no cache entry.
std::string_view build_digest();

} // namespace kiln
