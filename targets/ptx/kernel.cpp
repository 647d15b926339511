// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes.h"

#include <llvm/IR/CallingConv.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>

#include <fmt/format.h>

#include <algorithm>

namespace kiln::ptx {

void mark_kernel(const PtxOptions &options, llvm::Function &entry) {
  entry.setCallingConv(llvm::CallingConv::PTX_Kernel);
  entry.setLinkage(llvm::GlobalValue::ExternalLinkage);
  entry.removeFnAttr(llvm::Attribute::AlwaysInline);

  // The attributes are documented in LLVM's NVPTX usage guide ("Kernel Metadata").
  auto set_shape = [&](const char *attribute, const std::array<uint32_t, 3> &shape) {
    if (shape[0] == 0) return;
    entry.addFnAttr(attribute,
                    fmt::format("{},{},{}", shape[0], std::max(shape[1], 1u), std::max(shape[2], 1u)));
  };
  auto set_number = [&](const char *attribute, uint32_t number) {
    if (number) entry.addFnAttr(attribute, std::to_string(number));
  };
  set_shape("nvvm.maxntid", options.max_threads);
  set_shape("nvvm.reqntid", options.required_threads);
  set_shape("nvvm.cluster_dim", options.cluster);
  set_number("nvvm.minctasm", options.min_blocks);
  set_number("nvvm.maxnreg", options.max_registers);
}

bool reads_grid_barrier(const llvm::Module &module) {
  for (const llvm::Function &function : module) {
    if (function.isDeclaration()) {
      if (!function.use_empty() && function.getName().starts_with("llvm.nvvm.read.ptx.sreg.envreg"))
        return true;
      continue;
    }
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (auto *text = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand());
            text && llvm::StringRef(text->getAsmString()).contains("%envreg"))
          return true;
  }
  return false;
}

} // namespace kiln::ptx
