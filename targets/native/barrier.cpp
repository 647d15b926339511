// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel with barriers cannot run thread after thread: each thread has to stop at the barrier until all are there.
// Such a kernel becomes a coroutine that suspends at kiln.barrier; the block function (grid.cpp) starts all threads
// of the block and then resumes them in rounds. What throws or waits is inlined into it, so that the end of a thread
// is its last suspension rather than a jump out of the block.
#include "parts.h"

#include <kiln/abi.h>
#include <llvm_border/llvm_border.h>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Coroutines/CoroCleanup.h>
#include <llvm/Transforms/Coroutines/CoroEarly.h>
#include <llvm/Transforms/Coroutines/CoroSplit.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <fmt/format.h>

#include <set>

namespace kiln::native {
namespace {

constexpr const char *Barrier = "kiln.barrier";
constexpr const char *FrameSize = "kiln.frame_size";
constexpr std::array Reporters{"kiln_report_exception", "kiln_signal_exception"};

using Functions = std::set<llvm::Function *>; // membership only

Functions functions_named(llvm::Module &module, llvm::ArrayRef<const char *> names) {
  Functions found;
  for (const char *name : names)
    if (llvm::Function *function = module.getFunction(name))
      found.insert(function);
  return found;
}

llvm::CallInst *next_call(llvm::Function &function, const Functions &callees) {
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && callees.count(call->getCalledFunction()))
      return call;
  return nullptr;
}

/// Functions that reach one of `targets`, these left out.
Functions callers_of(llvm::Module &module, const Functions &targets) {
  Functions reach;
  for (bool grew = true; grew;) {
    grew = false;
    for (llvm::Function &function : module)
      if (!targets.count(&function) && !reach.count(&function) &&
          (next_call(function, targets) || next_call(function, reach)))
        grew = reach.insert(&function).second;
  }
  return reach;
}

bool reaches_itself(llvm::Module &module, llvm::Function *function) {
  return callers_of(module, {function}).count(function) || next_call(*function, {function});
}

class Coroutine {
public:
  Coroutine(const CompilerConfig &config, llvm::Function &kernel)
      : config_(config), kernel_(&kernel), module_(*kernel.getParent()), ir_(module_.getContext()) {}

  Result<CoroutineKernel> build() {
    KILN_CHECK(inline_what_ends_or_waits());
    make_coroutine();
    suspend_at_barriers();
    end_at_exceptions();
    split();
    return finished();
  }

private:
  Result<void> inline_what_ends_or_waits() {
    Functions leaves = functions_named(module_, {Barrier, Reporters[0], Reporters[1]});
    Functions callers = callers_of(module_, leaves);
    callers.erase(kernel_);
    for (llvm::Function &function : module_)
      if (callers.count(&function) && reaches_itself(module_, &function))
        return input_error("KernelError",
                           fmt::format("the recursive function `{}` waits at a barrier, or throws in a kernel that does; "
                                       "the native target cannot run that", function.getName().str()));
    while (llvm::CallInst *call = next_call(*kernel_, callers)) {
      llvm::InlineFunctionInfo info;
      std::string name = call->getCalledFunction()->getName().str();
      if (auto inlined = llvm::InlineFunction(*call, info); !inlined.isSuccess())
        return internal_error(fmt::format("`{}` cannot be inlined: {}", name, inlined.getFailureReason()));
    }
    return {};
  }

  /// ptr kernel(ptr frame, the kernel's own parameters...), which returns the frame.
  void make_coroutine() {
    llvm::Type *pointer = ir_.getPtrTy();
    llvm::SmallVector<llvm::Type *, 8> types{pointer};
    types.append(kernel_->getFunctionType()->param_begin(), kernel_->getFunctionType()->param_end());
    // External until it is split: the passes leave out an internal function without a caller.
    auto *coroutine = llvm::Function::Create(llvm::FunctionType::get(pointer, types, false),
                                             llvm::GlobalValue::ExternalLinkage, "", &module_);
    coroutine->takeName(kernel_);
    llvm::AttributeList old = kernel_->getAttributes();
    llvm::SmallVector<llvm::AttributeSet, 8> of_parameters(1);
    for (unsigned i = 0; i < kernel_->arg_size(); ++i)
      of_parameters.push_back(old.getParamAttrs(i));
    coroutine->setAttributes(llvm::AttributeList::get(module_.getContext(), old.getFnAttrs(), {}, of_parameters));
    for (auto attribute : {llvm::Attribute::AlwaysInline, llvm::Attribute::NoInline, llvm::Attribute::Memory,
                           llvm::Attribute::WillReturn, llvm::Attribute::NoFree, llvm::Attribute::NoSync})
      coroutine->removeFnAttr(attribute);
    coroutine->setPresplitCoroutine();
    coroutine->addFnAttr(llvm::Attribute::NoUnwind);
    coroutine->setSubprogram(kernel_->getSubprogram());
    kernel_->setSubprogram(nullptr);
    coroutine->splice(coroutine->begin(), kernel_);
    coroutine->getArg(0)->setName("frame");
    for (llvm::Argument &argument : kernel_->args()) {
      coroutine->getArg(argument.getArgNo() + 1)->takeName(&argument);
      argument.replaceAllUsesWith(coroutine->getArg(argument.getArgNo() + 1));
    }
    kernel_->eraseFromParent();
    kernel_ = coroutine;

    llvm::BasicBlock *body = &coroutine->getEntryBlock();
    auto *entry = block("entry", body), *size = block("frame.size", body), *begin = block("begin", body);
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(*body))
      if (llvm::isa<llvm::AllocaInst>(instruction))
        instruction.moveBefore(*entry, entry->end());
    ir_.SetInsertPoint(entry);
    ir_.CreateCondBr(ir_.CreateIsNull(coroutine->getArg(0)), size, begin);
    // The size is known after the split only: finished() reads it off this call, which never runs.
    ir_.SetInsertPoint(size);
    auto *null = llvm::ConstantPointerNull::get(ir_.getPtrTy());
    ir_.CreateCall(module_.getOrInsertFunction(FrameSize, ir_.getVoidTy(), ir_.getInt64Ty()),
                   {ir_.CreateIntrinsic(llvm::Intrinsic::coro_size, {ir_.getInt64Ty()}, {})});
    ir_.CreateRet(null);
    ir_.SetInsertPoint(begin);
    llvm::Value *id = ir_.CreateIntrinsic(llvm::Intrinsic::coro_id, {}, {ir_.getInt32(FrameAlign), null, null, null});
    llvm::Value *frame = ir_.CreateIntrinsic(llvm::Intrinsic::coro_begin, {}, {id, coroutine->getArg(0)});
    ir_.CreateBr(body);

    suspended_ = block("suspended");
    ended_ = block("ended");
    ir_.SetInsertPoint(suspended_);
    ir_.CreateIntrinsic(llvm::Intrinsic::coro_end, {}, {frame, ir_.getFalse(), none()});
    ir_.CreateRet(frame);
    ir_.SetInsertPoint(ended_);
    auto *never = block("never");
    suspend(true, never);
    ir_.SetInsertPoint(never);
    ir_.CreateUnreachable();
    std::vector<llvm::ReturnInst *> returns;
    for (llvm::Instruction &instruction : llvm::instructions(*coroutine))
      if (auto *ret = llvm::dyn_cast<llvm::ReturnInst>(&instruction); ret && !ret->getReturnValue())
        returns.push_back(ret);
    for (llvm::ReturnInst *ret : returns) {
      llvm::BranchInst::Create(ended_, ret->getIterator());
      ret->eraseFromParent();
    }
  }

  llvm::BasicBlock *block(const char *name, llvm::BasicBlock *before = nullptr) {
    return llvm::BasicBlock::Create(module_.getContext(), name, kernel_, before);
  }
  llvm::Value *none() { return llvm::ConstantTokenNone::get(module_.getContext()); }

  /// Ends the block at the insertion point: waits, then goes on with `resumed`.
  void suspend(bool last, llvm::BasicBlock *resumed) {
    llvm::Value *how = ir_.CreateIntrinsic(llvm::Intrinsic::coro_suspend, {}, {none(), ir_.getInt1(last)});
    auto *choice = ir_.CreateSwitch(how, suspended_, 2);
    choice->addCase(ir_.getInt8(0), resumed);
    choice->addCase(ir_.getInt8(1), suspended_); // destroyed: there is nothing to clean up
  }

  void suspend_at_barriers() {
    Functions barrier = functions_named(module_, {Barrier});
    while (llvm::CallInst *call = next_call(*kernel_, barrier)) {
      llvm::BasicBlock *before = call->getParent();
      llvm::BasicBlock *after = before->splitBasicBlock(call->getNextNode(), "resumed");
      before->getTerminator()->eraseFromParent();
      ir_.SetInsertPoint(before);
      ir_.SetCurrentDebugLocation(call->getDebugLoc());
      call->eraseFromParent();
      suspend(false, after);
    }
    ir_.SetCurrentDebugLocation({});
  }

  /// The reporters return here, and the thread ends behind them.
  void end_at_exceptions() {
    for (llvm::Function *reporter : functions_named(module_, {Reporters[0], Reporters[1]})) {
      for (llvm::Instruction &instruction : llvm::instructions(*reporter))
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
            call && call->getCalledFunction() && call->getCalledFunction()->getName() == abi::NativeThrowSymbol) {
          llvm::changeToUnreachable(call);
          break;
        }
      reporter->removeFnAttr(llvm::Attribute::NoReturn);
      for (llvm::BasicBlock &end : *reporter)
        if (auto *unreachable = llvm::dyn_cast<llvm::UnreachableInst>(end.getTerminator())) {
          llvm::ReturnInst::Create(module_.getContext(), nullptr, unreachable->getIterator());
          unreachable->eraseFromParent();
        }
      std::vector<llvm::CallInst *> calls;
      for (llvm::Instruction &instruction : llvm::instructions(*kernel_))
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && call->getCalledFunction() == reporter)
          calls.push_back(call);
      for (llvm::CallInst *call : calls) {
        call->removeFnAttr(llvm::Attribute::NoReturn);
        llvm::changeToUnreachable(call->getNextNode());
        llvm::Instruction *unreachable = call->getParent()->getTerminator();
        llvm::BranchInst::Create(ended_, unreachable->getIterator());
        unreachable->eraseFromParent();
      }
    }
  }

  /// LLVM's coroutine passes. Simplified first, so that only what lives across a barrier is in the frame.
  void split() {
    llvm::PassBuilder builder;
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager sccs;
    llvm::ModuleAnalysisManager modules;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(sccs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, sccs, modules);
    llvm::ModulePassManager passes;
    passes.addPass(llvm::CoroEarlyPass());
    if (config_.opt_level > 0 && config_.optimize) {
      llvm::FunctionPassManager simplify;
      simplify.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
      simplify.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
      simplify.addPass(llvm::InstCombinePass());
      simplify.addPass(llvm::SimplifyCFGPass());
      passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(simplify)));
    }
    passes.addPass(llvm::createModuleToPostOrderCGSCCPassAdaptor(llvm::CoroSplitPass(/*OptimizeFrame=*/config_.opt_level > 0)));
    passes.addPass(llvm::CoroCleanupPass());
    passes.run(module_, modules);
  }

  /// Takes the frame's size, a constant now, and the question for it out.
  Result<CoroutineKernel> finished() {
    CoroutineKernel result{kernel_, module_.getFunction((kernel_->getName() + ".resume").str()), 0};
    llvm::Function *marker = module_.getFunction(FrameSize);
    if (llvm::CallInst *call = next_call(*kernel_, {marker})) {
      if (auto *bytes = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0)))
        result.frame_bytes = llvm::alignTo(bytes->getZExtValue(), FrameAlign);
      call->eraseFromParent();
    }
    if (!result.resume || result.frame_bytes == 0 || !marker->use_empty())
      return internal_error("LLVM did not split a kernel with barriers");
    marker->eraseFromParent();
    kernel_->setLinkage(llvm::GlobalValue::InternalLinkage);
    kernel_->addParamAttr(0, llvm::Attribute::NonNull);
    return result;
  }

  static constexpr uint64_t FrameAlign = 16; // malloc's

  const CompilerConfig &config_;
  llvm::Function *kernel_;
  llvm::Module &module_;
  llvm::IRBuilder<> ir_;
  llvm::BasicBlock *suspended_ = nullptr, *ended_ = nullptr;
};

} // namespace

bool has_barrier(llvm::Module &module, llvm::Function &kernel) {
  Functions barrier = functions_named(module, {Barrier});
  return !barrier.empty() && callers_of(module, barrier).count(&kernel);
}

Result<CoroutineKernel> make_coroutine(const CompilerConfig &config, llvm::Function &kernel) {
  return Coroutine(config, kernel).build();
}

void drop_barriers(llvm::Module &module) {
  llvm::Function *barrier = module.getFunction(Barrier);
  if (!barrier)
    return;
  for (llvm::User *user : llvm::make_early_inc_range(barrier->users()))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(user))
      call->eraseFromParent();
}

} // namespace kiln::native
