// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes.h"

#include <llvm/IR/CallingConv.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Metadata.h>

#include <algorithm>

namespace kiln::ptx {

void mark_kernel(const PtxOptions &options, llvm::Function &entry) {
  llvm::Module &module = *entry.getParent();
  llvm::LLVMContext &context = module.getContext();
  entry.setCallingConv(llvm::CallingConv::PTX_Kernel);
  entry.setLinkage(llvm::GlobalValue::ExternalLinkage);
  entry.removeFnAttr(llvm::Attribute::AlwaysInline);

  llvm::NamedMDNode *annotations = module.getOrInsertNamedMetadata("nvvm.annotations");
  auto annotate = [&](const char *name, uint32_t value) {
    llvm::Metadata *parts[] = {
        llvm::ValueAsMetadata::get(&entry), llvm::MDString::get(context, name),
        llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value))};
    annotations->addOperand(llvm::MDNode::get(context, parts));
  };
  annotate("kernel", 1);
  auto annotate_shape = [&](const char *x, const char *y, const char *z,
                            const std::array<uint32_t, 3> &shape) {
    if (shape[0] == 0) return;
    annotate(x, shape[0]);
    annotate(y, std::max(shape[1], 1u));
    annotate(z, std::max(shape[2], 1u));
  };
  annotate_shape("maxntidx", "maxntidy", "maxntidz", options.max_threads);
  annotate_shape("reqntidx", "reqntidy", "reqntidz", options.required_threads);
  if (options.min_blocks) annotate("minctasm", options.min_blocks);
  if (options.max_registers) annotate("maxnreg", options.max_registers);
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
