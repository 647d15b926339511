// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time limits of launches. Every loop of an interruptible kernel tests NativeThread::stop in each iteration.
// If the flag is set, the thread reports its position and ends.
#include "instrument.h"

#include <llvm_support/llvm_support.h>
#include <rewrite/rewrite.h>
#include <waits/waits.h>

#include <llvm/Analysis/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <set>

namespace kiln::native {
namespace {

llvm::Value *field(llvm::IRBuilder<> &ir, llvm::Value *state, uint64_t offset) {
  return ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), state, offset);
}

void add_cancellation_point(llvm::BasicBlock &header) {
  llvm::Module &module = *header.getModule();
  const llvm::DebugLoc at = waits::loop_place(header).getDebugLoc();
  llvm::IRBuilder<> ir(&*header.getFirstInsertionPt());
  ir.SetCurrentDebugLocation(at);
  llvm::Value *state = ir.CreateCall(module.getOrInsertFunction("kiln.state", ir.getPtrTy()));
  auto *flag = ir.CreateAlignedLoad(ir.getPtrTy(), field(ir, state, offsetof(abi::NativeThread, stop)),
                                    llvm::Align(8));
  flag->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(module.getContext(), {}));
  auto *stop = ir.CreateAlignedLoad(ir.getInt32Ty(), flag, llvm::Align(4));
  stop->setAtomic(llvm::AtomicOrdering::Monotonic);
  stop->setMetadata(waits::StopLoad, llvm::MDNode::get(module.getContext(), {}));
  llvm::Value *is_over = ir.CreateICmpNE(stop, ir.getInt32(0));
  llvm::Instruction *then =
      llvm::SplitBlockAndInsertIfThen(is_over, &*ir.GetInsertPoint(), /*Unreachable=*/true);
  ir.SetInsertPoint(then);
  auto overdue = module.getOrInsertFunction(abi::NativeOverdueSymbol, ir.getVoidTy(), ir.getPtrTy(),
                                            ir.getInt32Ty(), ir.getPtrTy());
  ir.CreateCall(overdue, {state, thread_index(ir), location_constant(module, at)});
  end_thread(ir);
  then->eraseFromParent();
}

} // namespace

Result<void> add_cancellation_points(const Target &target, const CompilerConfig &config,
                                     llvm::Module &module) {
  if (!config.interruptible) return {};
  std::vector<llvm::BasicBlock *> headers;
  for (llvm::Function &function : module) {
    if (function.isDeclaration()) continue;
    llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, 8> edges;
    llvm::FindFunctionBackedges(function, edges);
    std::set<const llvm::BasicBlock *> entered; // never iterated
    for (const auto &[from, to] : edges) entered.insert(to);
    for (llvm::BasicBlock &block : function)
      if (entered.count(&block)) headers.push_back(&block);
  }
  // Recursive functions get tests too. Other functions are inlined, or run within one iteration of a loop of
  // their caller.
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && !function.hasFnAttribute(EntryAttribute) &&
        function.getName() != EndThread && calls_itself(function))
      headers.push_back(&function.getEntryBlock());
  for (llvm::BasicBlock *header : headers) add_cancellation_point(*header);
  return {};
}

} // namespace kiln::native
