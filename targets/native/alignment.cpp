// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits the alignment that accesses of 32 bytes and more assume to 16 bytes. GPU memory has the larger
// alignment, but malloc and NumPy align host memory to 16 bytes. A CPU faults on misaligned operands of
// aligned instructions, and aligned instructions are no faster.
#include "passes.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace kiln::native {
namespace {

constexpr llvm::Align host_alignment = llvm::Align::Constant<16>();

bool is_known(const llvm::Value *pointer) {
  const llvm::Value *object = llvm::getUnderlyingObject(pointer);
  return llvm::isa<llvm::AllocaInst>(object) || llvm::isa<llvm::GlobalVariable>(object);
}

} // namespace

Result<void> limit_alignment(const Target &, const CompilerConfig &, llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      if (const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction)) {
        if (llvm::getLoadStoreAlignment(&instruction) > host_alignment && !instruction.isAtomic() &&
            !is_known(pointer))
          llvm::setLoadStoreAlignment(&instruction, host_alignment);
      } else if (auto *memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
        if (memory->getDestAlign().valueOrOne() > host_alignment && !is_known(memory->getDest()))
          memory->setDestAlignment(host_alignment);
        auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(memory);
        if (transfer && transfer->getSourceAlign().valueOrOne() > host_alignment &&
            !is_known(transfer->getSource()))
          transfer->setSourceAlignment(host_alignment);
      }
    }
  return {};
}

} // namespace kiln::native
