// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between 128-bit integers and floats as instructions of 64 bits. LLVM would call compiler-rt
// (__floattidf, __fixdfti), which a GPU has not. Both targets use these, so that what is tested on the CPU is
// what a GPU runs.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace kiln {

/// The float nearest to x, ties to even; infinite where x is beyond the type's largest.
llvm::Value *wide_to_float(llvm::IRBuilder<> &b, llvm::Value *x, llvm::Type *to, bool is_signed);

/// x towards zero; where that does not fit into 128 bits, or x is NaN, some value.
llvm::Value *float_to_wide(llvm::IRBuilder<> &b, llvm::Value *x);

} // namespace kiln
