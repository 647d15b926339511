// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the rules. Each rule examines one job and adds its findings. The rules visit instructions in
// module order, so that a job gets the same advice in every process.
#pragma once

#include "findings.h"
#include "kernel_ir.h"

namespace kiln {

/// Properties of the GPU that a job is compiled for. Rules that take a pointer get null for a CPU.
struct GpuFacts {
  int sm = 0; ///< compute capability x 10
  /// Block size in x, y and z, known from a launch bound; all 0: unknown.
  std::array<uint32_t, 3> threads{0, 0, 0};
};

/// Rules: wide-float, wide-integer.
void find_wide_values(const KernelIr &ir, const GpuFacts *gpu, Findings &findings);
/// Rule: local-memory.
void find_local_memory(const KernelIr &ir, Findings &findings);
/// Rules: stride, bank-conflict.
void find_strides(const KernelIr &ir, const GpuFacts &gpu, Findings &findings);
/// Rule: lockstep.
void find_lockstep(const KernelIr &ir, Findings &findings);
/// Rule: serial-products.
void find_serial_products(const KernelIr &ir, Findings &findings);
/// Rule: division.
void find_divisions(const KernelIr &ir, const GpuFacts *gpu, Findings &findings);
/// Runs the rules spills and occupancy. `resources`: registers and memory that the job's cubin uses.
void find_resources(const KernelIr &ir, const KernelResources &resources, const GpuFacts &gpu,
                    Findings &findings);

} // namespace kiln
