// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace kiln {

/// Highest x86-64 psABI level that this processor and its system support: 1 for x86-64, 2 to 4 for x86-64-v2
/// to x86-64-v4. Other kinds of processors: 0.
int host_cpu_level();

} // namespace kiln
