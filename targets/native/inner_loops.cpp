// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inner_loops.h"

#include "passes.h"
#include "uniformity.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include <optional>

namespace kiln::native {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// Intrinsics with vector instructions.
bool is_vector_operation(const llvm::IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::sqrt:
  case llvm::Intrinsic::fabs:
  case llvm::Intrinsic::fma:
  case llvm::Intrinsic::fmuladd:
  case llvm::Intrinsic::minnum:
  case llvm::Intrinsic::maxnum:
  case llvm::Intrinsic::minimum:
  case llvm::Intrinsic::maximum:
  case llvm::Intrinsic::copysign:
  case llvm::Intrinsic::floor:
  case llvm::Intrinsic::ceil:
  case llvm::Intrinsic::trunc:
  case llvm::Intrinsic::rint:
  case llvm::Intrinsic::nearbyint:
  case llvm::Intrinsic::abs:
  case llvm::Intrinsic::smin:
  case llvm::Intrinsic::smax:
  case llvm::Intrinsic::umin:
  case llvm::Intrinsic::umax: return true;
  default: return false;
  }
}

class LoopRewriter {
public:
  explicit LoopRewriter(llvm::Function &kernel) : kernel_(kernel), ir_(kernel.getContext()) {}

  /// Rewrites the kernel and returns its guard. No value: none of the loops is worth the change.
  std::optional<Value *> run() {
    Value *guard = take_guard();
    llvm::DominatorTree tree(kernel_);
    llvm::LoopInfo loops(tree);
    std::vector<llvm::Loop *> innermost;
    for (llvm::Loop *loop : loops.getLoopsInPreorder())
      if (loop->isInnermost()) innermost.push_back(loop);
    Uniformity uniformity(kernel_);
    uniformity_ = &uniformity;
    std::vector<llvm::Loop *> masked;
    for (llvm::Loop *loop : innermost) {
      if (!loop->isLoopSimplifyForm() || !is_vectorizable(*loop)) return std::nullopt;
      if (leaves_together(*loop)) continue;
      if (!can_mask(*loop)) return std::nullopt;
      masked.push_back(loop);
    }
    for (llvm::Loop *loop : masked) mask(*loop);
    return guard;
  }

private:
  static bool is_quiet(const BasicBlock &block) {
    return llvm::none_of(block, [](const Instruction &instruction) {
      return instruction.mayHaveSideEffects() || instruction.isAtomic();
    });
  }
  static bool is_idle(const BasicBlock *block) {
    for (unsigned steps = 0; steps < 8 && block && is_quiet(*block); ++steps) {
      if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) return true;
      block = block->getSingleSuccessor();
    }
    return false;
  }

  /// Removes the conditions around all of the kernel's work and returns them as one guard. All threads then
  /// execute the work, which the guard makes conditional.
  Value *take_guard() {
    BasicBlock *first = &kernel_.getEntryBlock();
    if (!is_quiet(*first)) return nullptr;
    Value *guard = nullptr;
    BasicBlock *idle = nullptr;
    for (auto *branch = guarding(*first); branch; branch = guarding(*first)) {
      const bool holds = is_idle(branch->getSuccessor(1));
      BasicBlock *work = branch->getSuccessor(holds ? 0 : 1);
      ir_.SetInsertPoint(branch);
      Value *condition = holds ? branch->getCondition() : ir_.CreateNot(branch->getCondition());
      guard = guard ? ir_.CreateLogicalAnd(guard, condition) : condition;
      if (!idle) idle = branch->getSuccessor(holds ? 1 : 0);
      branch->getSuccessor(holds ? 1 : 0)->removePredecessor(first);
      llvm::BranchInst::Create(work, branch->getIterator());
      branch->eraseFromParent();
      // A further condition becomes part of the guard if computing it is harmless.
      if (work->getSinglePredecessor() != first || !guarding(*work) || !is_harmless(*work)) break;
      llvm::MergeBlockIntoPredecessor(work);
    }
    if (!guard) return nullptr;
    Instruction *end = first->getTerminator();
    BasicBlock *work = end->getSuccessor(0);
    ir_.SetInsertPoint(end);
    ir_.CreateCondBr(any(guard), work, idle);
    end->eraseFromParent();
    return guard;
  }
  /// Returns the block's branch if one of its successors only returns. Null: no such branch.
  static llvm::BranchInst *guarding(const BasicBlock &block) {
    auto *branch = const_cast<llvm::BranchInst *>(llvm::dyn_cast<llvm::BranchInst>(block.getTerminator()));
    if (!branch || !branch->isConditional()) return nullptr;
    const bool second = is_idle(branch->getSuccessor(1)), either = second || is_idle(branch->getSuccessor(0));
    return either && branch->getSuccessor(second ? 1 : 0)->phis().empty() ? branch : nullptr;
  }
  static bool is_harmless(const BasicBlock &block) {
    return llvm::all_of(block, [](const Instruction &instruction) {
      return instruction.isTerminator() ||
             (!instruction.mayReadOrWriteMemory() && llvm::isSafeToSpeculativelyExecute(&instruction));
    });
  }

  Value *any(Value *value) {
    llvm::Type *i1 = ir_.getInt1Ty();
    return ir_.CreateCall(kernel_.getParent()->getOrInsertFunction(AnyThread, i1, i1), {value});
  }

  bool leaves_together(const llvm::Loop &loop) const {
    llvm::SmallVector<BasicBlock *, 4> exiting;
    loop.getExitingBlocks(exiting);
    return llvm::all_of(exiting, [&](BasicBlock *block) { return uniformity_->ends_uniformly(block); });
  }

  /// True if every access in the loop is uniform, or contiguous across threads.
  bool is_vectorizable(const llvm::Loop &loop) const {
    const llvm::DataLayout &layout = kernel_.getDataLayout();
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block) {
        if (instruction.isAtomic() || instruction.isVolatile()) return false;
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
          auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call);
          if (!intrinsic || !(intrinsic->isAssumeLikeIntrinsic() || is_vector_operation(*intrinsic)))
            return false;
        } else if (const Value *pointer = llvm::getLoadStorePointerOperand(&instruction)) {
          llvm::Type *type = llvm::getLoadStoreType(&instruction);
          std::optional<int64_t> step = stride(pointer);
          const bool is_store = llvm::isa<llvm::StoreInst>(instruction);
          if (!step || (*step == 0 && is_store) ||
              (*step != 0 && *step != int64_t(layout.getTypeAllocSize(type))))
            return false;
        } else if (instruction.mayHaveSideEffects() || instruction.getType()->isAggregateType()) {
          return false;
        }
      }
    return true;
  }

  /// Difference of a value between a thread of a row and the next thread. No value: unknown.
  std::optional<int64_t> stride(const Value *value, unsigned depth = 0) const {
    if (auto *argument = llvm::dyn_cast<llvm::Argument>(value))
      return argument->getArgNo() == ThreadParameter ? 1 : 0; // y and z are constant in a row
    auto *instruction = llvm::dyn_cast<Instruction>(value);
    if (!instruction || uniformity_->is_uniform(*instruction)) return 0;
    if (depth > 12) return std::nullopt;
    if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction)) {
      std::optional<int64_t> total = stride(address->getPointerOperand(), depth + 1);
      for (auto at = llvm::gep_type_begin(address); total && at != llvm::gep_type_end(address); ++at) {
        std::optional<int64_t> index = stride(at.getOperand(), depth + 1);
        if (!index) return std::nullopt;
        if (*index)
          *total += *index * int64_t(at.getSequentialElementStride(kernel_.getDataLayout()).getFixedValue());
      }
      return total;
    }
    if (llvm::isa<llvm::CastInst>(instruction) && instruction->getOperand(0)->getType()->isIntOrPtrTy() &&
        instruction->getType()->isIntOrPtrTy())
      return stride(instruction->getOperand(0), depth + 1);
    if (!llvm::isa<llvm::BinaryOperator>(instruction)) return std::nullopt;
    std::optional<int64_t> left = stride(instruction->getOperand(0), depth + 1),
                           right = stride(instruction->getOperand(1), depth + 1);
    if (!left || !right) return std::nullopt;
    if (instruction->getOpcode() == Instruction::Add) return *left + *right;
    if (instruction->getOpcode() == Instruction::Sub) return *left - *right;
    return *left == 0 && *right == 0 ? std::optional<int64_t>(0) : std::nullopt;
  }

  static bool can_mask(const llvm::Loop &loop) {
    if (!loop.getUniqueExitBlock() || !loop.hasDedicatedExits()) return false;
    for (BasicBlock *block : loop.blocks())
      if (!is_quiet(*block) || !llvm::isa<llvm::BranchInst>(block->getTerminator())) return false;
    return true;
  }

  /// Threads that have left the loop stay in it without effect until the last thread leaves.
  void mask(llvm::Loop &loop) {
    BasicBlock *before = loop.getLoopPreheader(), *header = loop.getHeader(), *latch = loop.getLoopLatch(),
               *exit = loop.getUniqueExitBlock();
    auto *top = BasicBlock::Create(kernel_.getContext(), "together", &kernel_, header);
    auto *join = BasicBlock::Create(kernel_.getContext(), "joined", &kernel_, exit);
    before->getTerminator()->replaceSuccessorWith(header, top);

    llvm::Type *i1 = ir_.getInt1Ty();
    ir_.SetInsertPoint(top);
    auto *active = ir_.CreatePHI(i1, 2, "active");
    ir_.SetInsertPoint(join);
    auto *stays = ir_.CreatePHI(i1, 4, "stays");
    struct Pair {
      llvm::PHINode *now, *next;
    };
    auto carry = [&](llvm::Type *type, Value *initial) {
      ir_.SetInsertPoint(top);
      auto *now = ir_.CreatePHI(type, 2);
      ir_.SetInsertPoint(join);
      auto *next = ir_.CreatePHI(type, 4);
      now->addIncoming(initial, before);
      now->addIncoming(next, join);
      next->addIncoming(now, top);
      return Pair{now, next};
    };
    active->addIncoming(ir_.getTrue(), before);
    active->addIncoming(stays, join);
    stays->addIncoming(ir_.getFalse(), top);

    // Phi `stays` is false on exit edges, and true on the edge from the latch.
    std::vector<BasicBlock *> leaving(llvm::pred_begin(exit), llvm::pred_end(exit));
    for (BasicBlock *block : leaving) stays->addIncoming(ir_.getFalse(), block);
    stays->addIncoming(ir_.getTrue(), latch);
    const bool latch_leaves = llvm::is_contained(leaving, latch);
    if (latch_leaves) { // the latch's condition decides between staying and leaving
      auto *branch = llvm::cast<llvm::BranchInst>(latch->getTerminator());
      Value *on = branch->getCondition();
      if (branch->getSuccessor(0) != header) {
        ir_.SetInsertPoint(branch);
        on = ir_.CreateNot(on);
      }
      stays->removeIncomingValue(latch);
      stays->removeIncomingValue(latch);
      stays->addIncoming(on, latch);
    }
    for (llvm::PHINode &phi : llvm::make_early_inc_range(header->phis())) {
      Pair carried = carry(phi.getType(), phi.getIncomingValueForBlock(before));
      for (BasicBlock *block : leaving)
        if (block != latch) carried.next->addIncoming(carried.now, block);
      carried.next->addIncoming(phi.getIncomingValueForBlock(latch), latch);
      phi.replaceAllUsesWith(carried.now);
      phi.eraseFromParent();
    }
    for (llvm::PHINode &phi : llvm::make_early_inc_range(exit->phis())) {
      Pair left = carry(phi.getType(), llvm::PoisonValue::get(phi.getType()));
      for (BasicBlock *block : leaving) left.next->addIncoming(phi.getIncomingValueForBlock(block), block);
      if (!latch_leaves) left.next->addIncoming(left.now, latch);
      phi.replaceAllUsesWith(left.next);
      phi.eraseFromParent();
    }
    ir_.SetInsertPoint(top);
    ir_.CreateCondBr(active, header, join);
    for (BasicBlock *block : leaving) block->getTerminator()->replaceSuccessorWith(exit, join);
    latch->getTerminator()->replaceSuccessorWith(header, join);
    if (latch_leaves) {
      latch->getTerminator()->eraseFromParent();
      llvm::BranchInst::Create(join, latch);
    }
    ir_.SetInsertPoint(join);
    ir_.CreateCondBr(any(stays), top, exit);
  }

  llvm::Function &kernel_;
  llvm::IRBuilder<> ir_;
  const Uniformity *uniformity_ = nullptr;
};

} // namespace

bool is_any_thread(const Value *value) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(value);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == AnyThread;
}

InnerLoops run_loops_together(llvm::Function &kernel,
                              llvm::function_ref<void(llvm::FunctionPassManager)> run) {
  llvm::FunctionPassManager canonical = simplification();
  canonical.addPass(llvm::LoopSimplifyPass());
  canonical.addPass(llvm::LCSSAPass());
  run(std::move(canonical));
  InnerLoops result;
  std::optional<Value *> guard = LoopRewriter(kernel).run();
  if (!guard) return result;
  // Rotate loops so that a uniform loop tests its condition at its end. An iteration is then one region.
  llvm::FunctionPassManager rotation;
  rotation.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopRotatePass()));
  run(std::move(rotation));
  result.guard = *guard;
  llvm::DominatorTree tree(kernel);
  llvm::LoopInfo loops(tree);
  for (llvm::Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost()) result.headers.push_back(loop->getHeader());
  return result;
}

} // namespace kiln::native
