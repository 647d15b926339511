// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads names of devices ("cpu", "cuda:1") for the command line, programs and the C API.
#pragma once

#include <kiln/export.h>
#include <kiln/result.h>

#include <optional>
#include <string_view>

namespace kiln::inline KILN_API_VERSION {

/// Reads a device's name. Returns the GPU's number for "cuda" (0) or "cuda:N", and no value for "cpu". Does
/// not check that the GPU exists. Any thread may call it. Error: Usage, for any other text.
KILN_API Result<std::optional<int>> gpu_of_name(std::string_view device);

} // namespace kiln::inline KILN_API_VERSION
