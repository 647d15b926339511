// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rewrites themselves; rewrite.cpp runs them. Not for other components.
#pragma once

#include <job/job.h>
#include <kiln/result.h>

#include <llvm/IR/Module.h>

namespace kiln::rewrites {

#define KILN_REWRITE(function, name, phase, on_nested)                                                       \
  Result<void> function(const Target &target, const CompilerConfig &config, llvm::Module &module);
#include "rewrites.def"
#undef KILN_REWRITE

/// The direct calls to `name`, in the order of functions and instructions (a use list has no order to rely
/// on).
std::vector<llvm::CallInst *> calls_of(llvm::Module &module, llvm::StringRef name);

/// Moves the body of `function` to a new function of the same name that has `types` before its own
/// parameters. Uses of the old one are uses of the new one afterwards: what calls it still passes the old
/// arguments.
llvm::Function *prepend_parameters(llvm::Function &function, llvm::ArrayRef<llvm::Type *> types,
                                   llvm::ArrayRef<llvm::StringRef> names);
/// Replaces a call whose callee got parameters by prepend_parameters by one that passes `values` first.
void prepend_arguments(llvm::CallInst &call, llvm::ArrayRef<llvm::Value *> values);

} // namespace kiln::rewrites
