// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of the rewrites that rewrite.cpp runs, and functions that they share. Private to the
// component.
#pragma once

#include <job/job.h>
#include <kiln/result.h>

#include <llvm/IR/Module.h>

namespace kiln::rewrites {

#define KILN_REWRITE(function, name, phase, on_nested)                                                       \
  Result<void> function(const Target &target, const CompilerConfig &config, llvm::Module &module);
#include "rewrites.def"
#undef KILN_REWRITE

/// Finds the direct calls of function `name`, in order of functions and instructions: the order of LLVM's use
/// lists is not stable.
std::vector<llvm::CallInst *> calls_of(llvm::Module &module, llvm::StringRef name);

/// Moves the body of `function` to a new function of the same name with `types` before its own parameters.
/// All uses refer to the new function; existing calls still pass the old arguments until prepend_arguments().
llvm::Function *prepend_parameters(llvm::Function &function, llvm::ArrayRef<llvm::Type *> types,
                                   llvm::ArrayRef<llvm::StringRef> names);
/// Replaces a call of a function that prepend_parameters() changed: `values` become the first arguments.
void prepend_arguments(llvm::CallInst &call, llvm::ArrayRef<llvm::Value *> values);

} // namespace kiln::rewrites
