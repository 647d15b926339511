// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace kiln {

/// The highest of the x86-64 psABI's levels that this processor and its system have: 1 to 4 for x86-64,
/// x86-64-v2 ... v4; 0: another processor.
int host_cpu_level();

} // namespace kiln
