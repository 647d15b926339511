// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "compile_list.h"

namespace kiln {

/// The bytes of a bundle with these kernels. Equal pieces of code are there once. The same kernels give the
/// same bytes.
std::string write_bundle(std::span<const BundledKernel> kernels);

} // namespace kiln
