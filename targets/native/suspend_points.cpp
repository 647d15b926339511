// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits of a kernel's threads are calls of `void kiln.barrier()` or `i64 kiln.wait.<kind>(i32 mask, i32 lane,
// i64 value)`. The result of a wait is the value that the executor passes to the thread (abi::Wait).
#include "instrument.h"
#include "passes.h"

#include <llvm/IR/IRBuilder.h>

#include <array>

namespace kiln::native {
namespace {

constexpr std::array<const char *, size_t(abi::WaitKind::Count)> Names{
    "kiln.barrier",   "kiln.wait.barrier", "kiln.wait.grid",   "kiln.wait.active",    "kiln.wait.spin",
    "kiln.wait.sync", "kiln.wait.shuffle", "kiln.wait.ballot", "kiln.wait.match_any", "kiln.wait.match_all"};

} // namespace

std::vector<llvm::Function *> wait_functions(llvm::Module &module) {
  std::vector<llvm::Function *> found;
  for (const char *name : Names)
    if (llvm::Function *function = module.getFunction(name)) found.push_back(function);
  return found;
}

abi::WaitKind wait_kind(const llvm::Function &function) {
  auto at = std::find(Names.begin(), Names.end(), function.getName());
  assert(at != Names.end());
  return abi::WaitKind(at - Names.begin());
}

llvm::GlobalVariable *wait_site(const llvm::CallInst &call, uint32_t index) {
  llvm::Module &module = *const_cast<llvm::Module *>(call.getModule());
  llvm::LLVMContext &context = module.getContext();
  auto *pointer = llvm::PointerType::get(context, 0);
  auto *i32 = llvm::Type::getInt32Ty(context);
  auto constant = [&](llvm::Constant *value, const char *name) {
    auto *made = new llvm::GlobalVariable(module, value->getType(), true, llvm::GlobalValue::PrivateLinkage,
                                          value, name);
    made->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::None); // the address identifies the site
    return made;
  };
  llvm::Constant *location = location_constant(module, call.getDebugLoc());
  auto *type = llvm::StructType::get(context, {i32, i32, pointer});
  return constant(llvm::ConstantStruct::get(
                      type, {llvm::ConstantInt::get(i32, uint32_t(wait_kind(*call.getCalledFunction()))),
                             llvm::ConstantInt::get(i32, index), location}),
                  "wait.site");
}

void drop_waits(llvm::Module &module) {
  for (llvm::Function *function : wait_functions(module))
    for (llvm::User *user : llvm::make_early_inc_range(function->users())) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call) continue;
      if (!call->getType()->isVoidTy()) {
        llvm::IRBuilder<> ir(call);
        llvm::Value *result = ir.getInt64(1); // a mask with one bit: the single lane
        llvm::Value *value = call->getArgOperand(2);
        if (wait_kind(*function) == abi::WaitKind::Shuffle)
          result = value;
        else if (wait_kind(*function) == abi::WaitKind::Ballot)
          result = ir.CreateZExt(ir.CreateICmpNE(value, ir.getInt64(0)), ir.getInt64Ty());
        call->replaceAllUsesWith(result);
      }
      call->eraseFromParent();
    }
}

} // namespace kiln::native
