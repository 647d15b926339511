// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVPTX intrinsics that LLVM 22 renamed or replaced by instructions. CUDA.jl programs use their old names.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace kiln {

/// True if LLVM's upgrader can replace a call of `name` with this type. The upgrader checks no types itself.
bool is_renamed_intrinsic(llvm::StringRef name, const llvm::FunctionType &type);

/// Emits a renamed intrinsic in its current form. Returns its value; null for none.
llvm::Value *call_renamed_intrinsic(llvm::IRBuilderBase &builder, llvm::Module &module, llvm::StringRef name,
                                    llvm::FunctionType *type, llvm::ArrayRef<llvm::Value *> arguments);

} // namespace kiln
