// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of devices, as options, programs and the C API take them.
#pragma once

#include <kiln/result.h>

#include <optional>
#include <string_view>

namespace kiln {

/// The GPU's number in "cuda" or "cuda:N"; none for "cpu". Error: Usage, for any other text.
Result<std::optional<int>> gpu_of_name(std::string_view device);

} // namespace kiln
