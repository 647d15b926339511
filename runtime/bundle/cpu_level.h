// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace kiln {

/// Highest level of code that this processor and its system support (CodeRecord::level of a CpuImage): on
/// x86-64 the psABI level, 1 to 4; on AArch64 bundle::aarch64_levels + 1 or 2. Other processors: 0.
uint32_t host_cpu_level();

} // namespace kiln
