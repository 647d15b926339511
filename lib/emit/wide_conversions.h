// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between 128-bit integers and floats in 64-bit instructions. LLVM would call compiler-rt
// (__floattidf, __fixdfti), which GPUs lack. Both targets use this code, so that tests on the CPU cover the
// GPU's.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace kiln {

/// Nearest float to x, ties to even; infinite for x beyond the type's range.
llvm::Value *wide_to_float(llvm::IRBuilder<> &b, llvm::Value *x, llvm::Type *to, bool is_signed);

/// Converts towards zero. For NaN, or a result that does not fit into 128 bits: an unspecified value.
llvm::Value *float_to_wide(llvm::IRBuilder<> &b, llvm::Value *x);

} // namespace kiln
