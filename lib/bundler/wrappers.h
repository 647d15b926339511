// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "compile_list.h"

namespace kiln {

/// Writes a C++ header with a class per kernel, with typed launch arguments. `bundle_name`: for the header's
/// comment. `space`: its namespace.
std::string write_wrappers(std::span<const BundledKernel> kernels, const std::string &bundle_name,
                           const std::string &space);

} // namespace kiln
