// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace kiln {

/// Returns a digest of all parts of Kiln that affect products. It is computed when Kiln is built and is part
/// of cache keys, so that different builds share no cache entry.
std::string_view build_digest();

} // namespace kiln
