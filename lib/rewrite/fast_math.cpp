// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relaxes floating point for the whole job: sets fast-math flags on every operation. Functions of nested jobs
// are excluded, since they follow their own configs. On ptx it also flushes 32-bit denormals (.ftz).
#include "rewrites.h"

#include <llvm_support/llvm_support.h>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

namespace kiln::rewrites {

Result<void> fast_math(const Target &target, const CompilerConfig &config, llvm::Module &module) {
  if (!config.target.fast_math) return {};
  const bool flushes = target.capabilities(config.target).fast_math_flushes;
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || function.hasFnAttribute(NestedAttribute)) continue;
    if (flushes) function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (llvm::isa<llvm::FPMathOperator>(instruction)) instruction.setFast(true);
  }
  return {};
}

} // namespace kiln::rewrites
