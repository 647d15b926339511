// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "compile_list.h"

namespace kiln {

/// Bytes of a bundle with these kernels. Equal pieces of code are stored once. The same kernels give the same
/// bytes.
std::string write_bundle(std::span<const BundledKernel> kernels);

} // namespace kiln
