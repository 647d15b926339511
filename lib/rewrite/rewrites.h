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

} // namespace kiln::rewrites
