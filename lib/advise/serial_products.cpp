// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule that reports calls in functions with Hopper's matrix products (wgmma). Products are asynchronous, but
// NVIDIA's assembler waits for each before it issues the next if the function contains a call (its message
// C7509).
#include "rules.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <fmt/format.h>

namespace kiln {
namespace {

bool is_product(const llvm::CallBase &call) {
  const auto *text = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand());
  return text && llvm::StringRef(text->getAsmString()).contains("wgmma.mma_async");
}

/// Returns true if the machine code will contain a call instruction.
bool stays_a_call(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  return !call.isInlineAsm() && !(callee && callee->isIntrinsic());
}

} // namespace

void find_serial_products(const KernelIr &ir, Findings &findings) {
  for (const llvm::Function *function : ir.functions()) {
    const llvm::CallBase *product = nullptr, *other = nullptr;
    for (const llvm::Instruction &instruction : llvm::instructions(*function))
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
        if (!product && is_product(*call)) product = call;
        if (!other && stays_a_call(*call) && statement_of(*call)) other = call;
      }
    if (product && other)
      findings.add(
          "serial-products", *other,
          fmt::format("this call makes the assembler wait for each wgmma product of `{}` before the next",
                      function->getSubprogram() ? function->getSubprogram()->getName().str() : "the kernel"),
          "mark the called function @inline, or issue the products in a function without calls");
  }
}

} // namespace kiln
