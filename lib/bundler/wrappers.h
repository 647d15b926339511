// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "compile_list.h"

namespace kiln {

/// A C++ header with a class for each kernel, which takes its arguments with their types. `bundle_name` is
/// for the header's comment, `space` its namespace.
std::string write_wrappers(std::span<const BundledKernel> kernels, const std::string &bundle_name,
                           const std::string &space);

} // namespace kiln
