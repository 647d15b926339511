// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registers in which variables of optimised code are found are not told. LLVM writes them as lists since its
// pull request 110905, and ptxas 13.0 gives wrong code at -g where a register's place is told: it keeps the
// variable in a register that another value takes. Variables in memory, those of -O0, keep their places.
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
