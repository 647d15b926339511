// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule that reports arrays in local memory. Registers cannot be indexed, so an array indexed by a variable is
// in local memory: the thread's own part of device memory, accessed through the caches.
//
// Arrays of NVIDIA's math library are not reported. Its sin, cos and tan of Float32 use a table only for
// arguments above 105615.
#include "rules.h"

#include <ptx/ptx.h>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <fmt/format.h>

#include <utility>

namespace kiln {
namespace {

bool is_before(const llvm::Instruction &a, const llvm::Instruction &b) {
  const llvm::DILocation *first = statement_of(a), *second = statement_of(b);
  return std::pair(first->getLine(), first->getColumn()) < std::pair(second->getLine(), second->getColumn());
}

/// Returns the address computation with a variable index that comes first in the source; null if there is
/// none.
const llvm::Instruction *variable_index(const llvm::AllocaInst &array) {
  llvm::SmallVector<const llvm::Value *, 8> pointers{&array};
  llvm::SmallPtrSet<const llvm::Value *, 8> seen{&array};
  const llvm::Instruction *first = nullptr;
  while (!pointers.empty()) {
    for (const llvm::User *user : pointers.pop_back_val()->users()) {
      const auto *step = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
      if (step && !step->hasAllConstantIndices() && !is_cold(*step->getParent()) && statement_of(*step) &&
          (!first || is_before(*step, *first)))
        first = step;
      if (llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst, llvm::PHINode, llvm::SelectInst>(
              user) &&
          seen.insert(user).second)
        pointers.push_back(user);
    }
  }
  return first;
}

} // namespace

void find_local_memory(const KernelIr &ir, Findings &findings) {
  const llvm::DataLayout &layout = ir.module().getDataLayout();
  for (const llvm::Function *function : ir.functions())
    for (const llvm::Instruction &instruction : llvm::instructions(*function)) {
      const auto *array = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (array && array->getName().starts_with(llvm::StringRef(libdevice_alloca))) continue;
      const llvm::Instruction *index = array ? variable_index(*array) : nullptr;
      const auto size = array ? array->getAllocationSize(layout) : std::nullopt;
      if (!index || !size) continue;
      findings.add(
          "local-memory", *index,
          fmt::format("the index is a variable, so what it picks from lies in local memory, {} bytes of "
                      "device memory a thread, instead of registers",
                      size->getFixedValue()),
          "index by constants: unroll the loop with ntuple(k -> ..., Val(n)), or choose by ifelse; keep a "
          "table in shared memory or in an argument of type Const");
    }
}

} // namespace kiln
