// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules: each looks at one job and adds what it finds. They look at instructions in the module's order,
// so that the same job gives the same advice in any process.
#pragma once

#include "findings.h"
#include "kernel_ir.h"

namespace kiln {

/// What the rules know of the GPU; null in their place: a CPU.
struct GpuFacts {
  int sm = 0;                               ///< compute capability x 10
  std::array<uint32_t, 3> threads{0, 0, 0}; ///< of a block, where a launch bound says it; zeros: not known
};

/// wide-float, wide-integer.
void find_wide_values(const KernelIr &ir, const GpuFacts *gpu, Findings &findings);
/// local-memory.
void find_local_memory(const KernelIr &ir, Findings &findings);
/// stride, bank-conflict.
void find_strides(const KernelIr &ir, const GpuFacts &gpu, Findings &findings);
/// division.
void find_divisions(const KernelIr &ir, const GpuFacts *gpu, Findings &findings);
/// spills, occupancy: of the cubin's `resources`.
void find_resources(const KernelIr &ir, const KernelResources &resources, const GpuFacts &gpu,
                    Findings &findings);

} // namespace kiln
