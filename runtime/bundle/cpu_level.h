// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace kiln {

/// Highest x86-64 psABI level of this processor and its system: 1 to 4 for x86-64, x86-64-v2 ... v4; 0:
/// another processor.
int host_cpu_level();

} // namespace kiln
