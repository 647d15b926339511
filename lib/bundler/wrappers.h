// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "compile_list.h"

namespace kiln {

/// Writes a C++ header with a class for each kernel, whose launch function has typed parameters.
/// `bundle_name` is mentioned in the header's comment, and `space` is its C++ namespace.
std::string write_wrappers(std::span<const BundledKernel> kernels, const std::string &bundle_name,
                           const std::string &space);

} // namespace kiln
