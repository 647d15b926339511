// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Freezes shifts by 64-bit amounts, so that their guards stay. Julia's `x << n` is 0 if n is 64 or more, so a
// select guards the shift. LLVM 22.1.8's NVPTX drops that select, because PTX's shifts give 0 for large
// 32-bit amounts. It then passes only the lower 32 bits of a wider amount: 1 << 2^32 becomes 1. A frozen
// shift keeps its select.
#include "passes.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace kiln::ptx {
namespace {

/// Returns true if the shift amount may have bits above the 32 that PTX's shifts read. Conversions are
/// skipped, since instruction selection looks through them.
bool is_wide(const llvm::Value *amount) {
  while (llvm::isa<llvm::TruncInst, llvm::ZExtInst>(amount))
    amount = llvm::cast<llvm::CastInst>(amount)->getOperand(0);
  return amount->getType()->getScalarSizeInBits() > 32 && !llvm::isa<llvm::Constant>(amount);
}

} // namespace

void keep_guards_of_shifts(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
      if (!select) continue;
      for (unsigned i : {1u, 2u}) {
        auto *shift = llvm::dyn_cast<llvm::BinaryOperator>(select->getOperand(i));
        if (!shift || !shift->isShift() || !is_wide(shift->getOperand(1))) continue;
        select->setOperand(i, new llvm::FreezeInst(shift, "", select->getIterator()));
      }
    }
}

} // namespace kiln::ptx
