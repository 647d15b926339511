// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derivatives of mathematical functions.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <string>

namespace derivative {

/// The function's plain name: "sin" for llvm.sin.f64, for __nv_sinf of CUDA's device library and for sinf of
/// C.
std::string math_name(const llvm::Function &function);
bool has_rule(const llvm::Function &function);
/// Returns the tangent of the result of `call`, whose function must have a rule. `tangents`: of the
/// arguments; null for constants. Null: the tangent is zero.
llvm::Value *math_tangent(llvm::IRBuilderBase &at, llvm::CallInst &call,
                          llvm::ArrayRef<llvm::Value *> tangents);

} // namespace derivative
