// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inlines all functions that wait or throw into a kernel with waits. A thread then ends by a jump within the
// kernel, not by a jump out of the block.
#include "instrument.h"
#include "passes.h"

#include <rewrite/rewrite.h>

#include <llvm/IR/InstIterator.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <fmt/format.h>

#include <algorithm>

namespace kiln::native {
namespace {

constexpr const char *Reporters[]{"kiln_report_exception", "kiln_signal_exception", EndThread, UnwoundThread};

Functions reporters(llvm::Module &module) {
  Functions found;
  for (const char *name : Reporters)
    if (llvm::Function *function = module.getFunction(name)) found.insert(function);
  return found;
}

/// Recursive functions among `functions`, and all functions of `functions` that these call.
Functions recursive_among(llvm::Module &module, const Functions &functions) {
  Functions found;
  for (llvm::Function &function : module)
    if (functions.count(&function) && calls_itself(function)) found.insert(&function);
  for (bool grew = !found.empty(); grew;) {
    grew = false;
    for (llvm::Function &function : module)
      if (functions.count(&function) && !found.count(&function) &&
          std::any_of(found.begin(), found.end(),
                      [&](llvm::Function *caller) { return next_call(*caller, {&function}); }))
        grew = found.insert(&function).second;
  }
  return found;
}

Functions suspend_points_of(llvm::Module &module) {
  std::vector<llvm::Function *> functions = wait_functions(module);
  return {functions.begin(), functions.end()};
}

} // namespace

bool is_reporter(const llvm::Function &function) { return llvm::is_contained(Reporters, function.getName()); }

bool has_waits(llvm::Module &module, llvm::Function &kernel) {
  Functions waits = suspend_points_of(module);
  return !waits.empty() && (next_call(kernel, waits) || callers_of(module, waits).count(&kernel));
}

bool may_throw(llvm::Function &kernel) {
  llvm::Module &module = *kernel.getParent();
  Functions leaves = reporters(module);
  return next_call(kernel, leaves) || callers_of(module, leaves).count(&kernel);
}

Result<void> inline_throws_and_waits(llvm::Function &kernel) {
  llvm::Module &module = *kernel.getParent();
  Functions callers = callers_of(module, suspend_points_of(module));
  callers.erase(&kernel);
  for (llvm::Function &function : module)
    if (callers.count(&function) && calls_itself(function))
      return make_error(
          ErrorCode::KernelError,
          fmt::format(
              "the recursive function `{}` waits for other threads; the native target cannot run that",
              function.getName().str()),
          {}, "make it a loop");
  const Functions leaves = reporters(module);
  Functions throwers = callers_of(module, leaves);
  throwers.erase(&kernel);
  // Throwing functions that are not recursive are inlined. Recursive ones stay, and return after they throw.
  const Functions recursive = recursive_among(module, throwers);
  for (llvm::Function *function : throwers)
    if (!recursive.count(function)) callers.insert(function);
  KILN_CHECK(inline_calls(kernel, callers));
  if (!recursive.empty() && !launched_kernels(module).empty()) // other kernels need the jumping version
    return make_error(ErrorCode::KernelError,
                      fmt::format("the recursive function `{}` may throw, in a kernel that waits for other "
                                  "threads and launches or is launched by another; the native target cannot "
                                  "run that",
                                  (*recursive.begin())->getName().str()),
                      {}, "make it a loop");
  return_from_throws(kernel, recursive, leaves);
  llvm::removeUnreachableBlocks(kernel); // every wait that remains gets a number
  return {};
}

bool inline_throws(llvm::Function &kernel) {
  llvm::Module &module = *kernel.getParent();
  Functions throwers = callers_of(module, reporters(module));
  throwers.erase(&kernel);
  if (!recursive_among(module, throwers).empty()) return false;
  return inline_calls(kernel, throwers).ok();
}

/// Reporter function for this kernel. If the module has other kernels, they need a reporter that ends the
/// thread, so that this kernel gets a copy.
static llvm::Function *own_reporter(llvm::Function &kernel, llvm::Function &reporter) {
  if (reporter.isDeclaration() || launched_kernels(*kernel.getParent()).empty()) return &reporter;
  llvm::ValueToValueMapTy map;
  llvm::Function *own = llvm::CloneFunction(&reporter, map);
  own->setLinkage(llvm::GlobalValue::InternalLinkage);
  reporter.replaceUsesWithIf(own, [&](llvm::Use &use) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(use.getUser());
    return call && call->getFunction() == &kernel;
  });
  return own;
}

std::vector<llvm::CallInst *> let_reporters_return(llvm::Function &kernel) {
  std::vector<llvm::CallInst *> calls;
  for (llvm::Function *of_all : reporters(*kernel.getParent())) {
    llvm::Function *reporter = own_reporter(kernel, *of_all);
    for (llvm::Instruction &instruction : llvm::instructions(*reporter))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && call->getCalledFunction() &&
          call->getCalledFunction()->getName() == abi::NativeThrowSymbol) {
        llvm::changeToUnreachable(call);
        break;
      }
    reporter->removeFnAttr(llvm::Attribute::NoReturn);
    for (llvm::BasicBlock &end : *reporter)
      if (auto *unreachable = llvm::dyn_cast<llvm::UnreachableInst>(end.getTerminator())) {
        llvm::ReturnInst::Create(kernel.getContext(), nullptr, unreachable->getIterator());
        unreachable->eraseFromParent();
      }
    const size_t before = calls.size();
    for (llvm::Instruction &instruction : llvm::instructions(kernel))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && call->getCalledFunction() == reporter)
        calls.push_back(call);
    for (size_t i = before; i < calls.size(); ++i) {
      calls[i]->removeFnAttr(llvm::Attribute::NoReturn);
      llvm::changeToUnreachable(calls[i]->getNextNode());
    }
  }
  return calls;
}

llvm::FunctionPassManager simplification() {
  llvm::FunctionPassManager simplify;
  simplify.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  simplify.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  simplify.addPass(llvm::InstCombinePass());
  simplify.addPass(llvm::SimplifyCFGPass());
  return simplify;
}

} // namespace kiln::native
