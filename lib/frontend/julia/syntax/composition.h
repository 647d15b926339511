// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln::julia {

/// Returns the text in Unicode's normalization form C: a letter with its marks is one character where one
/// exists.
std::u32string composed(std::u32string_view text);

} // namespace kiln::julia
