// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds the two-word random state of a thread (runtime/library/base/random.jl) as a variable of the entry,
// initially zero. Its address becomes the first parameter of every function that uses it (kiln.random_state),
// directly or through a call. Kernels without random numbers are unchanged.
#include "device_launches.h"
#include "rewrites.h"

#include <llvm_support/llvm_support.h>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <fmt/format.h>

#include <set>

namespace kiln::rewrites {
namespace {

constexpr const char *GetRandomState = "kiln.random_state";

/// Finds the functions that call `callee`, in module order.
Result<std::vector<llvm::Function *>> callers_of(llvm::Module &module, llvm::Function &callee) {
  std::set<llvm::Function *> callers; // never iterated
  for (llvm::Use &use : callee.uses()) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(use.getUser());
    if (call && call->isCallee(&use))
      callers.insert(call->getFunction());
    else if (!callee.hasFnAttribute(DeferredAttribute)) // a deferred function's address is only compared
      return Error(Diagnostic{
          .code = ErrorCode::KernelError,
          .message = fmt::format("the function `{}` draws random numbers, so it cannot be used as a pointer",
                                 callee.getName().str()),
          .hint = "call it directly"});
  }
  std::vector<llvm::Function *> ordered;
  for (llvm::Function &function : module)
    if (callers.count(&function)) ordered.push_back(&function);
  return ordered;
}

/// In all calls in `function` to functions with the new parameter, passes the state.
void pass_in(llvm::Function &function, llvm::Value *state) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    auto *callee = call ? llvm::dyn_cast<llvm::Function>(call->getCalledOperand()) : nullptr;
    if (!callee) continue;
    if (callee->getName() == GetRandomState) {
      call->replaceAllUsesWith(state);
      call->eraseFromParent();
    } else if (callee->getFunctionType() != call->getFunctionType()) {
      prepend_arguments(*call, {state});
    }
  }
}

} // namespace

Result<void> random_state(const Target &, const CompilerConfig &, llvm::Module &module) {
  llvm::Function *getter = module.getFunction(GetRandomState);
  if (!getter) return {};
  KILN_TRY(llvm::Function * entry, entry_of(module));
  KILN_TRY(std::vector<llvm::Function *> users, callers_of(module, *getter));
  std::set<llvm::Function *> known(users.begin(), users.end());
  for (size_t i = 0; i < users.size(); ++i) { // `users` grows
    KILN_TRY(std::vector<llvm::Function *> callers, callers_of(module, *users[i]));
    for (llvm::Function *caller : callers)
      if (known.insert(caller).second) users.push_back(caller);
  }
  std::vector<std::pair<llvm::Function *, llvm::Value *>> changed;
  for (llvm::Function *user : users) {
    if (user == entry || user->hasFnAttribute(LaunchedAttribute)) {
      llvm::IRBuilder<> builder(&*user->getEntryBlock().getFirstInsertionPt());
      auto *words = llvm::ArrayType::get(builder.getInt32Ty(), 2);
      llvm::AllocaInst *state = builder.CreateAlloca(words, nullptr, "random");
      state->setAlignment(llvm::Align(8));
      builder.CreateAlignedStore(llvm::ConstantAggregateZero::get(words), state, llvm::Align(8));
      changed.emplace_back(user, builder.CreateAddrSpaceCast(state, builder.getPtrTy()));
    } else {
      llvm::Function *with_state =
          prepend_parameters(*user, {llvm::PointerType::get(module.getContext(), 0)}, {"random"});
      changed.emplace_back(with_state, with_state->getArg(0));
    }
  }
  for (auto &[function, state] : changed) pass_in(*function, state);
  if (getter->use_empty()) getter->eraseFromParent();
  return {};
}

} // namespace kiln::rewrites
