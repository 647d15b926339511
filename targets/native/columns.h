// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose threads stand side by side in memory along y: `i, j = cuda.grid(2)` of arrays in rows. As
// loops over a block they have y inside: there the axes x and y change places, in the kernel's parameters and
// in what read_block_facts reads of the block.
#pragma once

#include <llvm/IR/Function.h>

namespace kiln::native {

/// Of a kernel whose loops run over y first.
inline constexpr const char *ColumnsAttribute = "kiln.columns";

/// Whether its accesses are side by side in y, and fewer of them are in x.
bool prefers_columns(llvm::Function &kernel);
/// Swaps the two; once more: back.
void swap_axes(llvm::Function &kernel);

} // namespace kiln::native
