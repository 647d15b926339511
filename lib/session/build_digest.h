// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace kiln {

/// Digest of everything in Kiln that affects products, computed at build time. Different builds share no
/// cache entry.
std::string_view build_digest();

} // namespace kiln
