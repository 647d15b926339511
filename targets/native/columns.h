// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose threads access neighbouring memory along y: `i, j = cuda.grid(2)` on row-major arrays. Their
// loops over a block run y in the inner loop. For this the axes x and y are swapped in the kernel's
// parameters and in read_block_facts().
#pragma once

#include <llvm/IR/Function.h>

namespace kiln::native {

/// Attribute of a kernel whose inner loop runs over y.
inline constexpr const char *ColumnsAttribute = "kiln.columns";

/// True if its accesses are contiguous in y, and fewer are in x.
bool prefers_columns(llvm::Function &kernel);
/// Swaps x and y; a second call restores them.
void swap_axes(llvm::Function &kernel);

} // namespace kiln::native
