// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spin_waits.h"

#include "instrument.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace kiln::native {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

/// Iterations between suspensions if they are not idle; a power of two.
constexpr uint64_t turns_per_suspension = 256;

class Suspensions {
public:
  Suspensions(llvm::Loop &loop, const waits::ExitSlice &slice, const waits::FunctionEffects &effects)
      : loop_(loop), slice_(slice), effects_(effects), ir_(loop.getHeader()->getContext()) {}

  void add(llvm::ArrayRef<BasicBlock *> latches, bool in_any_turn, SpinVariables &variables) {
    BasicBlock *header = loop_.getHeader();
    at_ = waits::loop_place(*header).getDebugLoc();
    make_variables(variables);
    std::vector<Instruction *> work;
    for (BasicBlock *block : loop_.blocks())
      for (Instruction &instruction : *block) work.push_back(&instruction);
    for (Instruction *instruction : work) note_work(*instruction);
    ir_.SetInsertPoint(header, header->getFirstInsertionPt());
    // Not idle if the loop reads a clock: a wait with a timeout ends by itself.
    ir_.CreateStore(ir_.getInt1(!slice_.reads_clock()), idle_);
    llvm::SmallVector<BasicBlock *, 4> all;
    loop_.getLoopLatches(all);
    for (BasicBlock *latch : all) {
      if (llvm::is_contained(latches, latch)) continue;
      ir_.SetInsertPoint(latch->getTerminator());
      ir_.CreateStore(ir_.getInt64(0), idle_turns_);
    }
    for (BasicBlock *latch : latches) suspend_at(*latch, in_any_turn);
  }

private:
  void make_variables(SpinVariables &variables) {
    BasicBlock *header = loop_.getHeader();
    BasicBlock &entry = header->getParent()->getEntryBlock();
    ir_.SetInsertPoint(&entry, entry.begin());
    idle_ = ir_.CreateAlloca(ir_.getInt1Ty(), nullptr, "spin.idle");
    turns_ = ir_.CreateAlloca(ir_.getInt64Ty(), nullptr, "spin.turns");
    for (const llvm::Loop *outer = loop_.getParentLoop(); outer && !idle_turns_;
         outer = outer->getParentLoop())
      if (auto found = variables.find(outer->getHeader()); found != variables.end())
        idle_turns_ = found->second;
    const bool is_shared = idle_turns_;
    if (!is_shared) idle_turns_ = ir_.CreateAlloca(ir_.getInt64Ty(), nullptr, "spin.idle_turns");
    variables[header] = idle_turns_;
    for (BasicBlock *before : llvm::predecessors(header)) {
      if (loop_.contains(before)) continue;
      ir_.SetInsertPoint(before->getTerminator());
      ir_.CreateStore(ir_.getInt64(0), turns_);
      if (!is_shared) ir_.CreateStore(ir_.getInt64(0), idle_turns_);
    }
  }

  void not_idle() { ir_.CreateStore(ir_.getFalse(), idle_); }
  void idle_if(Value *condition) {
    ir_.CreateStore(ir_.CreateAnd(ir_.CreateLoad(ir_.getInt1Ty(), idle_), condition), idle_);
  }
  /// Emits an integer with the value's bits, for comparisons. Null: the type is not supported.
  Value *bits(Value *value) {
    llvm::Type *type = value->getType();
    if (type->isIntOrPtrTy()) return value;
    if (!type->isFloatingPointTy()) return nullptr;
    return ir_.CreateBitCast(value, ir_.getIntNTy(unsigned(type->getPrimitiveSizeInBits().getFixedValue())));
  }

  /// If the instruction changes memory, emits code that marks the iteration as not idle.
  void note_work(Instruction &instruction) {
    ir_.SetInsertPoint(&instruction);
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return note_store(*store);
    if (auto *swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      ir_.SetInsertPoint(instruction.getNextNode());
      Value *same = ir_.CreateICmpEQ(swap->getCompareOperand(), swap->getNewValOperand());
      return idle_if(ir_.CreateOr(ir_.CreateNot(ir_.CreateExtractValue(swap, 1)), same));
    }
    if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      if (waits::is_atomic_read(*update)) return;
      Value *old = nullptr;
      ir_.SetInsertPoint(instruction.getNextNode());
      old = bits(update);
      if (!old) return not_idle();
      auto *now = ir_.CreateAlignedLoad(old->getType(), update->getPointerOperand(), update->getAlign());
      now->setAtomic(llvm::AtomicOrdering::Monotonic);
      return idle_if(ir_.CreateICmpEQ(old, now));
    }
    if (effects_.get(instruction).writes) not_idle();
  }
  void note_store(llvm::StoreInst &store) {
    if (const llvm::AllocaInst *variable = waits::local_variable(*store.getPointerOperand())) {
      if (slice_.contains(*variable)) not_idle();
      return;
    }
    Value *next = store.isVolatile() ? nullptr : bits(store.getValueOperand());
    if (!next) return not_idle();
    auto *old = ir_.CreateAlignedLoad(next->getType(), store.getPointerOperand(), store.getAlign());
    if (store.isAtomic()) old->setAtomic(llvm::AtomicOrdering::Monotonic);
    idle_if(ir_.CreateICmpEQ(ir_.CreateFreeze(old), ir_.CreateFreeze(next)));
  }

  void suspend(Value *idle_turns) {
    llvm::Type *i32 = ir_.getInt32Ty(), *i64 = ir_.getInt64Ty();
    auto wait = loop_.getHeader()->getModule()->getOrInsertFunction("kiln.wait.spin", i64, i32, i32, i64);
    ir_.SetCurrentDebugLocation(at_);
    ir_.CreateCall(wait, {ir_.getInt32(0), ir_.getInt32(0), idle_turns});
  }

  void suspend_at(BasicBlock &latch, bool in_any_turn) {
    BasicBlock *header = loop_.getHeader();
    std::vector<std::pair<Value *, Value *>> carried;
    bool may_stay = true;
    for (PHINode &phi : header->phis()) {
      Value *next = phi.getIncomingValueForBlock(&latch);
      if (!slice_.contains(phi) || next == &phi) continue;
      may_stay &= phi.getType()->isIntOrPtrTy() || phi.getType()->isFloatingPointTy();
      carried.push_back({&phi, next});
    }
    ir_.SetInsertPoint(llvm::SplitEdge(&latch, header)->getTerminator());
    Value *idle = ir_.getFalse();
    if (may_stay) {
      idle = ir_.CreateLoad(ir_.getInt1Ty(), idle_);
      for (const auto &[now, next] : carried)
        idle =
            ir_.CreateAnd(idle, ir_.CreateICmpEQ(bits(ir_.CreateFreeze(now)), bits(ir_.CreateFreeze(next))));
    }
    Instruction *waits = nullptr, *works = nullptr;
    llvm::SplitBlockAndInsertIfThenElse(idle, &*ir_.GetInsertPoint(), &waits, &works);
    ir_.SetInsertPoint(waits);
    Value *count = ir_.CreateAdd(ir_.CreateLoad(ir_.getInt64Ty(), idle_turns_), ir_.getInt64(1));
    ir_.CreateStore(count, idle_turns_);
    suspend(count);
    ir_.SetInsertPoint(works);
    ir_.CreateStore(ir_.getInt64(0), idle_turns_);
    if (!in_any_turn) return;
    Value *turns = ir_.CreateAdd(ir_.CreateLoad(ir_.getInt64Ty(), turns_), ir_.getInt64(1));
    ir_.CreateStore(turns, turns_);
    Value *is_due =
        ir_.CreateICmpEQ(ir_.CreateAnd(turns, ir_.getInt64(turns_per_suspension - 1)), ir_.getInt64(0));
    ir_.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(is_due, &*ir_.GetInsertPoint(), false));
    suspend(ir_.getInt64(0));
  }

  llvm::Loop &loop_;
  const waits::ExitSlice &slice_;
  const waits::FunctionEffects &effects_;
  llvm::IRBuilder<> ir_;
  llvm::AllocaInst *idle_ = nullptr;       ///< i1 variable: true while the current iteration is idle
  llvm::AllocaInst *idle_turns_ = nullptr; ///< consecutive idle iterations
  llvm::AllocaInst *turns_ = nullptr;      ///< iterations that are not idle
  llvm::DebugLoc at_;
};

} // namespace

void add_suspensions(llvm::Loop &loop, const waits::ExitSlice &slice, const waits::FunctionEffects &effects,
                     llvm::ArrayRef<BasicBlock *> latches, bool in_any_turn, SpinVariables &variables) {
  Suspensions(loop, slice, effects).add(latches, in_any_turn, variables);
}

} // namespace kiln::native
