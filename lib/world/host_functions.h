// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that programs on the host have and kernels do not, and what to use in their place.
#pragma once

#include <string_view>

namespace kiln {

/// A hint for who calls `name`; empty if there is none.
std::string_view host_function_hint(std::string_view name);

} // namespace kiln
