// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces calls of functions that common rewrites emit (lib/rewrite/rewrite.h) by what NVPTX has for them.
#include "passes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <functional>

namespace kiln::ptx {
namespace {

void replace_calls(llvm::Module &module, llvm::StringRef name,
                   const std::function<llvm::Value *(llvm::IRBuilder<> &)> &replacement) {
  llvm::Function *marker = module.getFunction(name);
  if (!marker || !marker->isDeclaration()) return;
  for (llvm::User *user : llvm::make_early_inc_range(marker->users())) {
    auto *call = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> ir(call);
    call->replaceAllUsesWith(replacement(ir));
    call->eraseFromParent();
  }
  marker->eraseFromParent();
}

} // namespace

Result<void> lower_markers(const Target &, const CompilerConfig &, llvm::Module &module) {
  using namespace llvm::Intrinsic;
  static constexpr std::pair<const char *, ID> registers[] = {
      {"kiln.thread_idx.x", nvvm_read_ptx_sreg_tid_x},  {"kiln.thread_idx.y", nvvm_read_ptx_sreg_tid_y},
      {"kiln.thread_idx.z", nvvm_read_ptx_sreg_tid_z},  {"kiln.block_idx.x", nvvm_read_ptx_sreg_ctaid_x},
      {"kiln.block_idx.y", nvvm_read_ptx_sreg_ctaid_y}, {"kiln.block_idx.z", nvvm_read_ptx_sreg_ctaid_z}};
  for (const auto &[name, id] : registers)
    replace_calls(module, name,
                  [id](llvm::IRBuilder<> &ir) { return ir.CreateIntrinsic(ir.getInt32Ty(), id, {}); });
  replace_calls(module, "kiln.system_fence", [](llvm::IRBuilder<> &ir) {
    return ir.CreateIntrinsic(ir.getVoidTy(), nvvm_membar_sys, {});
  });
  // A trap would destroy the CUDA context.
  replace_calls(module, "kiln.end_thread", [](llvm::IRBuilder<> &ir) {
    auto *type = llvm::FunctionType::get(ir.getVoidTy(), false);
    return ir.CreateCall(llvm::InlineAsm::get(type, "exit;", "", /*hasSideEffects=*/true), {});
  });
  return {};
}

} // namespace kiln::ptx
