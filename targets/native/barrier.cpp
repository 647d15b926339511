// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with waits as coroutines. A thread must stop until the other threads reach the wait, so threads
// cannot run one after the other. The coroutine suspends at each wait (suspend_points.cpp), after it has
// stored the wait's properties in the thread's abi::Wait. The block function (grid.cpp) starts all threads of
// the block, and the executor wakes them. A thread ends with its last suspension, not by a jump out of the
// block.
#include "passes.h"

#include <kiln/abi.h>
#include <llvm_support/llvm_support.h>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Coroutines/CoroCleanup.h>
#include <llvm/Transforms/Coroutines/CoroEarly.h>
#include <llvm/Transforms/Coroutines/CoroSplit.h>

#include <fmt/format.h>

#include <set>

namespace kiln::native {
namespace {

constexpr const char *FrameSize = "kiln.frame_size";
using Blocks = std::set<llvm::BasicBlock *>; // never iterated

class Coroutine {
public:
  Coroutine(const CompilerConfig &config, llvm::Function &kernel)
      : config_(config), kernel_(&kernel), module_(*kernel.getParent()), ir_(module_.getContext()) {}

  Result<CoroutineKernel> build() {
    make_coroutine();
    suspend_at_waits();
    end_at_exceptions();
    split();
    return finished();
  }

private:
  /// Makes the coroutine: ptr kernel(ptr frame, the kernel's own parameters...). It returns the frame.
  void make_coroutine() {
    llvm::Type *pointer = ir_.getPtrTy();
    llvm::SmallVector<llvm::Type *, 8> types{pointer};
    types.append(kernel_->getFunctionType()->param_begin(), kernel_->getFunctionType()->param_end());
    // The coroutine is external until LLVM has split it, since the passes skip an internal function without
    // callers.
    auto *coroutine = llvm::Function::Create(llvm::FunctionType::get(pointer, types, false),
                                             llvm::GlobalValue::ExternalLinkage, "", &module_);
    coroutine->takeName(kernel_);
    llvm::AttributeList old = kernel_->getAttributes();
    llvm::SmallVector<llvm::AttributeSet, 8> of_parameters(1);
    for (unsigned i = 0; i < kernel_->arg_size(); ++i) of_parameters.push_back(old.getParamAttrs(i));
    coroutine->setAttributes(
        llvm::AttributeList::get(module_.getContext(), old.getFnAttrs(), {}, of_parameters));
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
      if (llvm::isa<llvm::AllocaInst>(instruction)) instruction.moveBefore(*entry, entry->end());
    ir_.SetInsertPoint(entry);
    ir_.CreateCondBr(ir_.CreateIsNull(coroutine->getArg(0)), size, begin);
    // The frame size is known only after the split. This unreachable call computes it; finished() reads the
    // constant.
    ir_.SetInsertPoint(size);
    auto *null = llvm::ConstantPointerNull::get(ir_.getPtrTy());
    ir_.CreateCall(module_.getOrInsertFunction(FrameSize, ir_.getVoidTy(), ir_.getInt64Ty()),
                   {ir_.CreateIntrinsic(llvm::Intrinsic::coro_size, {ir_.getInt64Ty()}, {})});
    ir_.CreateRet(null);
    ir_.SetInsertPoint(begin);
    llvm::Value *id =
        ir_.CreateIntrinsic(llvm::Intrinsic::coro_id, {}, {ir_.getInt32(FrameAlign), null, null, null});
    llvm::Value *frame = ir_.CreateIntrinsic(llvm::Intrinsic::coro_begin, {}, {id, coroutine->getArg(0)});
    make_slot();
    ir_.CreateBr(body);

    suspended_ = block("suspended");
    ended_ = block("ended");
    ir_.SetInsertPoint(suspended_);
    ir_.CreateIntrinsic(llvm::Intrinsic::coro_end, {}, {frame, ir_.getFalse(), none()});
    ir_.CreateRet(frame);
    ir_.SetInsertPoint(ended_);
    ir_.CreateStore(null, slot_);
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

  /// Ends the current block with a suspension that continues at `resumed`.
  void suspend(bool last, llvm::BasicBlock *resumed) {
    llvm::Value *how = ir_.CreateIntrinsic(llvm::Intrinsic::coro_suspend, {}, {none(), ir_.getInt1(last)});
    auto *choice = ir_.CreateSwitch(how, suspended_, 2);
    choice->addCase(ir_.getInt8(0), resumed);
    choice->addCase(ir_.getInt8(1), suspended_); // destroyed: nothing to clean up
  }

  /// Address of the thread's abi::Wait.
  void make_slot() {
    // Index of the first parameter after the frame; the parameters are state, thread x, y, z.
    constexpr unsigned first = 1;
    llvm::Value *state = kernel_->getArg(first);
    auto load = [&](llvm::Type *type, uint64_t offset) {
      return ir_.CreateLoad(type, ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), state, offset));
    };
    llvm::Value *width = load(ir_.getInt32Ty(), offsetof(abi::NativeThread, block_dim));
    llvm::Value *height = load(ir_.getInt32Ty(), offsetof(abi::NativeThread, block_dim) + 4);
    llvm::Value *row =
        ir_.CreateAdd(kernel_->getArg(first + 2), ir_.CreateMul(height, kernel_->getArg(first + 3)));
    llvm::Value *linear = ir_.CreateAdd(kernel_->getArg(first + 1), ir_.CreateMul(width, row));
    llvm::Value *bytes =
        ir_.CreateMul(ir_.CreateZExt(linear, ir_.getInt64Ty()), ir_.getInt64(sizeof(abi::Wait)));
    slot_ = ir_.CreateInBoundsGEP(ir_.getInt8Ty(), load(ir_.getPtrTy(), offsetof(abi::NativeThread, waits)),
                                  bytes, "slot");
  }
  llvm::Value *slot(uint64_t offset) {
    return ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), slot_, offset);
  }

  /// All waits of the kernel in program order. The waits in a loop come before those after the loop.
  std::vector<llvm::CallInst *> waits_in_order() {
    llvm::DominatorTree dominators(*kernel_);
    llvm::LoopInfo loops(dominators);
    std::vector<llvm::BasicBlock *> last_first;
    struct Visit {
      llvm::BasicBlock *block;
      llvm::SmallVector<llvm::BasicBlock *, 4> next;
    };
    std::vector<Visit> path;
    Blocks seen;
    auto enter = [&](llvm::BasicBlock *block) {
      if (!seen.insert(block).second) return;
      Visit visit{block, {}};
      visit.next.append(llvm::succ_begin(block), llvm::succ_end(block));
      // The traversal gives reverse post-order, in which the successor visited last comes first.
      std::stable_sort(visit.next.begin(), visit.next.end(),
                       [&](auto *a, auto *b) { return loops.getLoopDepth(a) > loops.getLoopDepth(b); });
      path.push_back(std::move(visit));
    };
    enter(&kernel_->getEntryBlock());
    while (!path.empty()) {
      if (path.back().next.empty()) {
        last_first.push_back(path.back().block);
        path.pop_back();
      } else {
        enter(path.back().next.pop_back_val());
      }
    }
    std::vector<llvm::Function *> functions = wait_functions(module_);
    Functions waits(functions.begin(), functions.end());
    std::vector<llvm::CallInst *> found;
    for (auto block = last_first.rbegin(); block != last_first.rend(); ++block)
      for (llvm::Instruction &instruction : **block)
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
            call && waits.count(call->getCalledFunction()))
          found.push_back(call);
    return found;
  }

  void suspend_at_waits() {
    uint32_t index = 0;
    for (llvm::CallInst *call : waits_in_order()) {
      llvm::BasicBlock *before = call->getParent();
      llvm::BasicBlock *after = before->splitBasicBlock(call->getNextNode(), "resumed");
      before->getTerminator()->eraseFromParent();
      ir_.SetInsertPoint(before);
      ir_.SetCurrentDebugLocation(call->getDebugLoc());
      ir_.CreateStore(wait_site(*call, index++), slot(offsetof(abi::Wait, site)));
      bool has_operands = call->arg_size() != 0;
      if (has_operands) {
        ir_.CreateStore(call->getArgOperand(0), slot(offsetof(abi::Wait, mask)));
        ir_.CreateStore(call->getArgOperand(1), slot(offsetof(abi::Wait, lane)));
        ir_.CreateStore(call->getArgOperand(2), slot(offsetof(abi::Wait, value)));
      }
      suspend(false, after);
      if (has_operands) {
        ir_.SetInsertPoint(after, after->begin());
        call->replaceAllUsesWith(ir_.CreateLoad(ir_.getInt64Ty(), slot(offsetof(abi::Wait, value))));
      }
      call->eraseFromParent();
    }
    ir_.SetCurrentDebugLocation({});
  }

  /// Makes functions that report exceptions return, and ends the thread after each call of one.
  void end_at_exceptions() {
    for (llvm::CallInst *call : let_reporters_return(*kernel_)) {
      llvm::Instruction *unreachable = call->getParent()->getTerminator();
      llvm::BranchInst::Create(ended_, unreachable->getIterator());
      unreachable->eraseFromParent();
    }
  }

  /// Runs LLVM's coroutine passes. Simplifies the kernel first, so that the frame contains only values that
  /// are live across a wait.
  void split() {
    Analyses analyses;
    llvm::ModulePassManager passes;
    passes.addPass(llvm::CoroEarlyPass());
    if (config_.opt_level > 0 && config_.optimize) {
      passes.addPass(llvm::createModuleToFunctionPassAdaptor(simplification()));
    }
    passes.addPass(llvm::createModuleToPostOrderCGSCCPassAdaptor(
        llvm::CoroSplitPass(/*OptimizeFrame=*/config_.opt_level > 0)));
    passes.addPass(llvm::CoroCleanupPass());
    passes.run(module_, analyses.modules);
  }

  /// Reads the frame size, now a constant, and removes the call whose argument it is.
  Result<CoroutineKernel> finished() {
    llvm::Function *resume = module_.getFunction((kernel_->getName() + ".resume").str());
    CoroutineKernel result{kernel_, nullptr, 0};
    llvm::Function *marker = module_.getFunction(FrameSize);
    if (llvm::CallInst *call = next_call(*kernel_, {marker})) {
      if (auto *bytes = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0)))
        result.frame_bytes = llvm::alignTo(bytes->getZExtValue(), FrameAlign);
      call->eraseFromParent();
    }
    if (!resume || result.frame_bytes == 0 || !marker->use_empty())
      return internal_error("LLVM did not split a kernel whose threads wait");
    marker->eraseFromParent();
    kernel_->setLinkage(llvm::GlobalValue::InternalLinkage);
    kernel_->addParamAttr(0, llvm::Attribute::NonNull);
    result.wake = wake_function(*resume);
    return result;
  }

  /// Makes a function with C's calling convention that calls `resume`, for the executor. `resume` has LLVM's
  /// own convention.
  llvm::Function *wake_function(llvm::Function &resume) {
    auto *wake =
        llvm::Function::Create(llvm::FunctionType::get(ir_.getVoidTy(), {ir_.getPtrTy()}, false),
                               llvm::GlobalValue::InternalLinkage, kernel_->getName() + ".wake", module_);
    wake->addFnAttr(llvm::Attribute::NoUnwind);
    for (const char *attribute : {"target-cpu", "target-features"})
      if (kernel_->hasFnAttribute(attribute)) wake->addFnAttr(kernel_->getFnAttribute(attribute));
    ir_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "entry", wake));
    auto *call = ir_.CreateCall(&resume, {wake->getArg(0)});
    call->setCallingConv(resume.getCallingConv());
    place_wrapper(*wake, *call, *kernel_);
    ir_.CreateRetVoid();
    return wake;
  }

  static constexpr uint64_t FrameAlign = 16; // malloc's alignment

  const CompilerConfig &config_;
  llvm::Function *kernel_;
  llvm::Module &module_;
  llvm::IRBuilder<> ir_;
  llvm::BasicBlock *suspended_ = nullptr, *ended_ = nullptr;
  llvm::Value *slot_ = nullptr;
};

} // namespace

Result<CoroutineKernel> make_coroutine(const CompilerConfig &config, llvm::Function &kernel) {
  return Coroutine(config, kernel).build();
}

} // namespace kiln::native
