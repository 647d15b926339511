// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stack overflow checks. A recursive function first compares the stack pointer with the host thread's limit
// (abi::Unwinding). If the recursion is too deep, its thread ends with an exception; the process goes on.
// Other functions are unchanged.
#include "instrument.h"

#include <llvm_support/llvm_support.h>
#include <rewrite/rewrite.h>

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <set>

namespace kiln::native {
namespace {

void check_stack_in(llvm::Function &function) {
  llvm::Module &module = *function.getParent();
  llvm::IRBuilder<> ir(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  llvm::DebugLoc at;
  if (llvm::DISubprogram *place = function.getSubprogram())
    at = llvm::DILocation::get(module.getContext(), place->getLine(), 0, place);
  ir.SetCurrentDebugLocation(at);
  auto *pointer = ir.getPtrTy();
  llvm::Value *state = ir.CreateCall(module.getOrInsertFunction("kiln.state", pointer));
  auto field = [&](llvm::Value *base, uint64_t offset) {
    return ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), base, offset);
  };
  llvm::Value *point =
      ir.CreateAlignedLoad(pointer, field(state, offsetof(abi::NativeThread, abort_thread)), llvm::Align(8));
  llvm::Value *limit =
      ir.CreateAlignedLoad(pointer, field(point, offsetof(abi::Unwinding, lowest_frame)), llvm::Align(8));
  llvm::Value *here = ir.CreateIntrinsic(llvm::Intrinsic::frameaddress, {pointer}, {ir.getInt32(0)});
  llvm::Instruction *then = llvm::SplitBlockAndInsertIfThen(ir.CreateICmpULT(here, limit),
                                                            &*ir.GetInsertPoint(), /*Unreachable=*/true);
  ir.SetInsertPoint(then);
  ir.SetCurrentDebugLocation(at);
  auto raise = module.getOrInsertFunction("kiln.throw", ir.getVoidTy(), ir.getInt32Ty(), pointer, pointer);
  llvm::Value *text = ir.CreateGlobalString(
      "StackOverflowError: calls nest deeper than the stack of a thread on this device holds");
  auto *call = ir.CreateCall(
      raise, {ir.getInt32(uint32_t(abi::ExceptionKind::Unknown)), text, location_constant(module, at)});
  call->setDoesNotReturn();
  call->addFnAttr(llvm::Attribute::Cold);
}

} // namespace

Result<void> check_recursion(const Target &, const CompilerConfig &, llvm::Module &module) {
  std::vector<llvm::Function *> recursive;
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && calls_itself(function)) recursive.push_back(&function);
  for (llvm::Function *function : recursive) check_stack_in(*function);
  return {};
}

} // namespace kiln::native
