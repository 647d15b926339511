// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of devices, as the command line, programs and the C API take them.
#pragma once

#include <kiln/export.h>
#include <kiln/result.h>

#include <optional>
#include <string_view>

namespace kiln::inline KILN_API_VERSION {

/// Reads a device's name: the GPU's number in "cuda" (0) or "cuda:N", none for "cpu". Any thread. Does not
/// check that the GPU exists. Error: Usage, for any other text.
KILN_API Result<std::optional<int>> gpu_of_name(std::string_view device);

} // namespace kiln::inline KILN_API_VERSION
