// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts between 128-bit integers and floats in 64-bit instructions. LLVM would call compiler-rt
// (__floattidf, __fixdfti), which GPUs lack. Both targets use this code, so that tests on the CPU cover the
// GPU's code.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace kiln {

/// Nearest float to x, ties to even. Infinite if x exceeds the type's range.
llvm::Value *wide_to_float(llvm::IRBuilder<> &b, llvm::Value *x, llvm::Type *to, bool is_signed);

/// Converts to a 128-bit integer, towards zero. The result is unspecified for NaN, and for values that do not
/// fit.
llvm::Value *float_to_wide(llvm::IRBuilder<> &b, llvm::Value *x);

} // namespace kiln
