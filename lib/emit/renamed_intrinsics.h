// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intrinsics of NVPTX that LLVM 22 has under another name or as an instruction than earlier versions.
// Programs of CUDA.jl call them by their old names.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace kiln {

/// True if LLVM's upgrader can replace a call of `name` with this type. The upgrader checks no types itself.
bool is_renamed_intrinsic(llvm::StringRef name, const llvm::FunctionType &type);

/// Emits a call of a renamed intrinsic as LLVM has it today. Returns its value; null for none.
llvm::Value *call_renamed_intrinsic(llvm::IRBuilderBase &builder, llvm::Module &module, llvm::StringRef name,
                                    llvm::FunctionType *type, llvm::ArrayRef<llvm::Value *> arguments);

} // namespace kiln
