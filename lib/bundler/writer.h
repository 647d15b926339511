// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "compile_list.h"

namespace kiln {

/// Bundles the kernels. Stores equal pieces of code once. Deterministic: the same kernels give the same
/// bytes.
std::string write_bundle(std::span<const BundledKernel> kernels);

} // namespace kiln
