// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces frem by calls of libdevice's fmod. NVPTX lowers frem to x - trunc(x / y) * y. This is wrong for
// quotients of 2^53 (2^24 in f32) and more, and inexact for smaller ones. libdevice's fmod is exact, as in C.
// Under @fastmath (afn) the instruction stays.
#include "passes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

namespace kiln::ptx {
namespace {

bool is_exact_remainder(const llvm::Instruction &instruction) {
  return instruction.getOpcode() == llvm::Instruction::FRem && !instruction.hasApproxFunc() &&
         instruction.getType()->isFloatingPointTy();
}

llvm::FunctionCallee fmod_of(llvm::Module &module, llvm::Type *type) {
  llvm::FunctionCallee callee =
      module.getOrInsertFunction(type->isDoubleTy() ? "__nv_fmod" : "__nv_fmodf", type, type, type);
  if (auto *function = llvm::dyn_cast<llvm::Function>(callee.getCallee());
      function && function->isDeclaration()) {
    function->setDoesNotThrow();
    function->setDoesNotAccessMemory();
    function->addFnAttr(llvm::Attribute::WillReturn);
  }
  return callee;
}

} // namespace

bool has_exact_remainders(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (is_exact_remainder(instruction)) return true;
  return false;
}

void call_library_for_remainders(llvm::Module &module) {
  std::vector<llvm::Instruction *> found;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (is_exact_remainder(instruction)) found.push_back(&instruction);
  for (llvm::Instruction *remainder : found) {
    llvm::IRBuilder<> ir(remainder);
    llvm::Type *type = remainder->getType();
    // Compute half-precision remainders in f32: it represents each half exactly, and the remainder of two
    // halves is a half.
    llvm::Type *wide = type->isDoubleTy() ? type : ir.getFloatTy();
    llvm::Value *x = ir.CreateFPCast(remainder->getOperand(0), wide),
                *y = ir.CreateFPCast(remainder->getOperand(1), wide);
    llvm::Value *result = ir.CreateFPCast(ir.CreateCall(fmod_of(module, wide), {x, y}), type);
    result->takeName(remainder);
    remainder->replaceAllUsesWith(result);
    remainder->eraseFromParent();
  }
}

} // namespace kiln::ptx
