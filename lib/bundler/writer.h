// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "compile_list.h"

namespace kiln {

/// Returns the bytes of a bundle with these kernels. Equal pieces of code are stored once. The result is
/// deterministic.
std::string write_bundle(std::span<const BundledKernel> kernels);

} // namespace kiln
