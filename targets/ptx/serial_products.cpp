// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inlines the functions that report exceptions into functions with wgmma products. nvJitLink assembles a text
// as relocatable code, and then waits for each product before it issues the next if the function has any call
// (ptxas says so in message C7509). A call of a reporting function is enough.
#include "passes.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace kiln::ptx {
namespace {

bool issues_products(const llvm::Function &function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction &instruction) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const auto *text = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
    return text && llvm::StringRef(text->getAsmString()).contains("wgmma.mma_async");
  });
}

} // namespace

void inline_throws_at_products(llvm::Module &module) {
  for (const char *name : {"kiln_report_exception", "kiln_signal_exception"}) {
    llvm::Function *reporter = module.getFunction(name);
    if (!reporter || reporter->isDeclaration()) continue;
    for (llvm::User *user : llvm::to_vector(reporter->users()))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(user))
        if (call->getCalledFunction() == reporter && issues_products(*call->getFunction())) {
          llvm::InlineFunctionInfo info;
          llvm::InlineFunction(*call, info);
        }
    if (reporter->use_empty()) reporter->eraseFromParent();
  }
}

} // namespace kiln::ptx
