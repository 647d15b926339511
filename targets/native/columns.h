// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels in which threads adjacent along y access neighbouring memory: `i, j = cuda.grid(2)` on row-major
// arrays. The inner one of their loops over a block's threads runs over y. For this, the axes x and y are
// swapped in the kernel's parameters and in read_block_facts().
#pragma once

#include <llvm/IR/Function.h>

namespace kiln::native {

/// Attribute of a kernel whose inner loop over threads runs over y.
inline constexpr const char *ColumnsAttribute = "kiln.columns";

/// True if some accesses of the kernel are contiguous along y, and fewer are contiguous along x.
bool prefers_columns(llvm::Function &kernel);
/// Swaps the axes x and y of the kernel; a second call restores them.
void swap_axes(llvm::Function &kernel);

} // namespace kiln::native
