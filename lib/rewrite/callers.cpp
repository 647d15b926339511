// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "callers.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <fmt/format.h>

#include <vector>

namespace kiln {

llvm::CallInst *next_call(llvm::Function &function, const Functions &callees) {
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        call && callees.count(call->getCalledFunction()))
      return call;
  return nullptr;
}

Functions callers_of(llvm::Module &module, const Functions &targets) {
  Functions reach;
  for (bool grew = true; grew;) {
    grew = false;
    for (llvm::Function &function : module)
      if (!targets.count(&function) && !reach.count(&function) &&
          (next_call(function, targets) || next_call(function, reach)))
        grew = reach.insert(&function).second;
  }
  return reach;
}

bool calls_itself(const llvm::Function &function) {
  std::vector<const llvm::Function *> reached{&function};
  std::set<const llvm::Function *> known; // never iterated
  for (size_t i = 0; i < reached.size(); ++i)
    for (const llvm::Instruction &instruction : llvm::instructions(*reached[i]))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (const llvm::Function *callee = call->getCalledFunction(); callee && !callee->isDeclaration()) {
          if (callee == &function) return true;
          if (known.insert(callee).second) reached.push_back(callee);
        }
  return false;
}

Result<void> inline_calls(llvm::Function &function, const Functions &callees) {
  while (llvm::CallInst *call = next_call(function, callees)) {
    llvm::InlineFunctionInfo info;
    std::string name = call->getCalledFunction()->getName().str();
    if (auto inlined = llvm::InlineFunction(*call, info); !inlined.isSuccess())
      return internal_error(fmt::format("`{}` cannot be inlined: {}", name, inlined.getFailureReason()));
  }
  return {};
}

} // namespace kiln
