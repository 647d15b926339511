// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that only host programs have, and their replacements in kernels.
#pragma once

#include <string_view>

namespace kiln {

/// Hint for a call of `name`; empty: none.
std::string_view host_function_hint(std::string_view name);

} // namespace kiln
