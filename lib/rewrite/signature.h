// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds parameters to functions, for rewrites of this component and of targets.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace kiln {

/// Moves the body of `function` to a new function of the same name with `types` before its own parameters.
/// All uses refer to the new function; existing calls still pass the old arguments until prepend_arguments().
llvm::Function *prepend_parameters(llvm::Function &function, llvm::ArrayRef<llvm::Type *> types,
                                   llvm::ArrayRef<llvm::StringRef> names);
/// Replaces a call of a function that prepend_parameters() changed: `values` become the first arguments.
void prepend_arguments(llvm::CallInst &call, llvm::ArrayRef<llvm::Value *> values);

} // namespace kiln
