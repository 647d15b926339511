// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of OpenCL's built-in functions.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/IRBuilder.h>

namespace kiln::spirv {

/// Calls a built-in function by its mangled name.
llvm::CallInst *call_builtin(llvm::IRBuilder<> &ir, llvm::StringRef mangled, llvm::Type *result,
                             llvm::ArrayRef<llvm::Value *> values);
/// Calls one without effects.
llvm::CallInst *call_pure_builtin(llvm::IRBuilder<> &ir, llvm::StringRef mangled, llvm::Type *result,
                                  llvm::ArrayRef<llvm::Value *> values);

} // namespace kiln::spirv
