// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVPTX intrinsics that LLVM 22 renamed, or replaced by instructions. CUDA.jl programs use their old names.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace kiln {

/// True if LLVM's auto-upgrade can replace a call of `name` with this type. The upgrader itself checks no
/// types.
bool is_renamed_intrinsic(llvm::StringRef name, const llvm::FunctionType &type);

/// Emits a call of a renamed intrinsic in its current form. Returns its result; null if it has none.
llvm::Value *call_renamed_intrinsic(llvm::IRBuilderBase &builder, llvm::Module &module, llvm::StringRef name,
                                    llvm::FunctionType *type, llvm::ArrayRef<llvm::Value *> arguments);

} // namespace kiln
