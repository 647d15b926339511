// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What hooks of the tests do to a module, so that a value shows whether they were asked.
#pragma once

#include <cstdint>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace kiln::test {

/// Makes `to` of `from` wherever the module has that number.
inline void replace_number(llvm::Module &module, int64_t from, int64_t to) {
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        for (llvm::Use &use : instruction.operands())
          if (auto *number = llvm::dyn_cast<llvm::ConstantInt>(use);
              number && number->getBitWidth() == 64 && number->getSExtValue() == from)
            use.set(llvm::ConstantInt::getSigned(number->getType(), to));
}

} // namespace kiln::test
