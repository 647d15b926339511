// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Removes the register locations of variables from the debug information of optimised code. ptxas 13.0
// miscompiles kernels at -g that have them. LLVM writes these locations since its pull request 110905.
// Variables in memory, as at -O0, keep their locations.
#include "passes.h"

#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/InstIterator.h>

namespace kiln::ptx {

void drop_registers_of_variables(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      for (llvm::DbgVariableRecord &record :
           llvm::make_early_inc_range(llvm::filterDbgVars(instruction.getDbgRecordRange())))
        if (!record.isDbgDeclare()) record.eraseFromParent();
}

} // namespace kiln::ptx
