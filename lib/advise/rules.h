// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules. Each examines one job and adds its findings. They visit instructions in module order, so that a
// job gets the same advice in any process.
#pragma once

#include "findings.h"
#include "kernel_ir.h"

namespace kiln {

/// GPU properties for the rules; a null pointer means a CPU.
struct GpuFacts {
  int sm = 0;                               ///< compute capability x 10
  std::array<uint32_t, 3> threads{0, 0, 0}; ///< block size by a launch bound; zeros: unknown
};

/// Rules: wide-float, wide-integer.
void find_wide_values(const KernelIr &ir, const GpuFacts *gpu, Findings &findings);
/// Rule: local-memory.
void find_local_memory(const KernelIr &ir, Findings &findings);
/// Rules: stride, bank-conflict.
void find_strides(const KernelIr &ir, const GpuFacts &gpu, Findings &findings);
/// Rule: division.
void find_divisions(const KernelIr &ir, const GpuFacts *gpu, Findings &findings);
/// Rules: spills, occupancy. `resources`: of the cubin.
void find_resources(const KernelIr &ir, const KernelResources &resources, const GpuFacts &gpu,
                    Findings &findings);

} // namespace kiln
