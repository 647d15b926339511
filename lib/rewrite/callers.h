// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The call graph of a module, as targets need it to inline the functions that end a thread or wait.
#pragma once

#include <kiln/result.h>

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <set>

namespace kiln {

using Functions = std::set<llvm::Function *>; ///< never iterated where the order matters

/// First direct call in `function` of one of `callees`; null: there is none.
llvm::CallInst *next_call(llvm::Function &function, const Functions &callees);
/// Functions that call one of `targets`, directly or indirectly. The targets themselves are not included.
Functions callers_of(llvm::Module &module, const Functions &targets);
/// True if the function calls itself, directly or through others.
bool calls_itself(const llvm::Function &function);
/// Inlines all calls of `callees` into `function`, also those that inlined code contains. None of `callees`
/// may be recursive.
Result<void> inline_calls(llvm::Function &function, const Functions &callees);

} // namespace kiln
