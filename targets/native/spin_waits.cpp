// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in which a thread waits for what another one writes: a lock, a flag, a counter. The threads of a
// block share one host thread, so the thread has to let the others go on, or it waits for ever. A turn of
// such a loop leaves everything that the thread has as it was: nothing is written, and what the loop carries
// is what it carried. Behind such an idle turn the thread waits (abi::WaitKind::Spin), which makes the kernel
// a coroutine; other turns pay a comparison at most.
//
// A loop that reads memory by atomic or volatile loads to decide whether it ends, but also counts its turns,
// or writes something, lets the others go on every so many turns: it may end by itself, so it is never said
// to make no progress.
//
// A compare-and-swap whose expected value was read in the loop fails only because another thread has
// succeeded: that is no wait.
#include "instrument.h"
#include "passes.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace kiln::native {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

constexpr uint64_t CountedTurns = 256;
constexpr unsigned max_slice = 400; ///< instructions; a larger loop does more than wait

bool is_zero(const Value *value) {
  auto *constant = llvm::dyn_cast<llvm::Constant>(value);
  return constant && constant->isZeroValue();
}

class SpinLoop {
public:
  SpinLoop(llvm::Loop &loop, llvm::AllocaInst *&turns, llvm::AllocaInst *&idle)
      : loop_(loop), turns_(turns), idle_(idle) {}

  bool instrument() {
    find_idle_blocks();
    if (!find_slice() || !reads_) return false;
    find_latches();
    const bool counts = latches_.empty() && reads_shared_ && !lock_free_;
    if (latches_.empty() && !counts) return false;
    BasicBlock *header = loop_.getHeader();
    at_ = loop_location(*header);
    if (counts) loop_.getLoopLatches(latches_);
    std::vector<BasicBlock *> outside;
    for (BasicBlock *before : llvm::predecessors(header))
      if (!loop_.contains(before)) outside.push_back(before);
    llvm::IRBuilder<> ir(header->getContext());
    make_variables(ir);
    for (BasicBlock *before : outside) {
      ir.SetInsertPoint(before->getTerminator());
      ir.CreateStore(ir.getInt64(0), turns_);
    }
    if (counts) {
      for (BasicBlock *latch : latches_) count_turn(*latch);
      return true;
    }
    for (Instruction *work : work_) {
      ir.SetInsertPoint(work);
      ir.CreateStore(ir.getFalse(), idle_);
    }
    llvm::SmallVector<BasicBlock *, 4> all;
    loop_.getLoopLatches(all);
    ir.SetInsertPoint(header, header->getFirstInsertionPt());
    // The phis' values are compared at the latch: the header sets the flag for the turn.
    ir.CreateStore(ir.getTrue(), idle_);
    for (BasicBlock *latch : latches_) wait_when_idle(*latch);
    return true;
  }

private:
  /// Whether this may change what other threads see, or what this one does next.
  bool is_work(const Instruction &instruction) {
    if (llvm::isa<llvm::StoreInst>(instruction)) return true;
    if (auto *swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      // One that fails has not written; one that succeeds is left by another way, or changes what it expects.
      const bool waits = loop_.isLoopInvariant(swap->getCompareOperand());
      lock_free_ |= !waits;
      return !waits;
    }
    if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) switch (update->getOperation()) {
      case llvm::AtomicRMWInst::Xchg:
      case llvm::AtomicRMWInst::And:
      case llvm::AtomicRMWInst::Or:
      case llvm::AtomicRMWInst::Max:
      case llvm::AtomicRMWInst::Min:
      case llvm::AtomicRMWInst::UMax:
      case llvm::AtomicRMWInst::UMin:
      case llvm::AtomicRMWInst::FMax:
      case llvm::AtomicRMWInst::FMin:
        return !loop_.isLoopInvariant(update->getValOperand()); // again and again it writes what is there
      default: return !is_zero(update->getValOperand());        // 0 is added to read
      }
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      if (llvm::isa<llvm::DbgInfoIntrinsic>(call) || call->onlyReadsMemory() || call->isInlineAsm())
        return false;
      const llvm::Function *callee = call->getCalledFunction();
      auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call);
      return !(intrinsic && intrinsic->isAssumeLikeIntrinsic()) &&
             !(callee && callee->getName().contains("nanosleep")) &&
             !(callee && callee->getName() == "clock_gettime");
    }
    return false;
  }

  /// What a turn can come to without having done work.
  void find_idle_blocks() {
    std::vector<BasicBlock *> pending{loop_.getHeader()};
    std::set<const BasicBlock *> seen{loop_.getHeader()};
    for (BasicBlock *block : loop_.blocks())
      for (Instruction &instruction : *block)
        if (is_work(instruction)) {
          work_.push_back(&instruction);
          working_.insert(block);
          break;
        }
    while (!pending.empty()) {
      BasicBlock *block = pending.back();
      pending.pop_back();
      if (working_.count(block)) continue;
      idle_blocks_.insert(block);
      for (BasicBlock *next : llvm::successors(block))
        if (loop_.contains(next) && seen.insert(next).second) pending.push_back(next);
    }
  }

  /// What the loop's branches depend on; false where that is too much.
  bool find_slice() {
    std::vector<Value *> pending;
    for (BasicBlock *block : loop_.blocks())
      if (Instruction *end = block->getTerminator(); end->getNumSuccessors() > 1)
        pending.push_back(end->getOperand(0));
    while (!pending.empty()) {
      auto *instruction = llvm::dyn_cast<Instruction>(pending.back());
      pending.pop_back();
      if (!instruction || !loop_.contains(instruction) || !slice_.insert(instruction).second) continue;
      if (slice_.size() > max_slice) return false;
      note_read(*instruction);
      for (Value *operand : instruction->operands()) pending.push_back(operand);
    }
    return true;
  }
  void note_read(const Instruction &instruction) {
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      const Value *object = load->getPointerOperand()->stripInBoundsOffsets();
      if (llvm::isa<llvm::AllocaInst>(object) || load->hasMetadata(llvm::LLVMContext::MD_invariant_load))
        return;
      reads_ = true;
      reads_shared_ |= load->isAtomic() || load->isVolatile();
    }
    if (llvm::isa<llvm::AtomicCmpXchgInst>(instruction)) reads_ = reads_shared_ = true;
    if (llvm::isa<llvm::AtomicRMWInst>(instruction)) {
      reads_ = true;
      reads_shared_ |= !working_.count(instruction.getParent());
    }
  }

  /// The ends of idle turns that may leave all phis that matter as they are.
  void find_latches() {
    for (BasicBlock *latch : llvm::predecessors(loop_.getHeader())) {
      if (!loop_.contains(latch) || !idle_blocks_.count(latch) || llvm::is_contained(latches_, latch))
        continue;
      bool may_stay = true;
      for (PHINode &phi : loop_.getHeader()->phis())
        if (slice_.count(&phi)) {
          std::set<const Value *> seen; // membership only
          may_stay &= (phi.getType()->isIntOrPtrTy() || phi.getType()->isFloatingPointTy()) &&
                      may_be(phi.getIncomingValueForBlock(latch), phi, seen);
        }
      if (may_stay) latches_.push_back(latch);
    }
  }
  bool may_be(const Value *value, const PHINode &phi, std::set<const Value *> &seen) const {
    if (value == &phi) return true;
    if (llvm::isa<llvm::UndefValue>(value) || !seen.insert(value).second) return false;
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(value)) // a flag that is as it was from the beginning
      return llvm::is_contained(phi.incoming_values(), constant) && begins_with(phi, *constant);
    if (auto *joined = llvm::dyn_cast<PHINode>(value);
        joined && loop_.contains(joined) && joined->getParent() != loop_.getHeader()) {
      for (unsigned i = 0; i < joined->getNumIncomingValues(); ++i)
        if (idle_blocks_.count(joined->getIncomingBlock(i)) && may_be(joined->getIncomingValue(i), phi, seen))
          return true;
      return false;
    }
    if (auto *select = llvm::dyn_cast<llvm::SelectInst>(value))
      return may_be(select->getTrueValue(), phi, seen) || may_be(select->getFalseValue(), phi, seen);
    // What was read: if it is the same again, nobody has written.
    auto *instruction = llvm::dyn_cast<Instruction>(value);
    return instruction && loop_.contains(instruction) && depends_on_read_alone(*instruction, 0);
  }
  bool begins_with(const PHINode &phi, const llvm::Constant &constant) const {
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      if (!loop_.contains(phi.getIncomingBlock(i)) && phi.getIncomingValue(i) == &constant) return true;
    return false;
  }
  /// No phi in it: it is the same in each turn but for memory.
  bool depends_on_read_alone(const Instruction &instruction, unsigned depth) const {
    if (depth > 6 || llvm::isa<PHINode>(instruction)) return false;
    return llvm::all_of(instruction.operands(), [&](const llvm::Use &use) {
      auto *operand = llvm::dyn_cast<Instruction>(use);
      return !operand || !loop_.contains(operand) || depends_on_read_alone(*operand, depth + 1);
    });
  }

  void make_variables(llvm::IRBuilder<> &ir) {
    if (turns_) return;
    BasicBlock &entry = loop_.getHeader()->getParent()->getEntryBlock();
    ir.SetInsertPoint(&entry, entry.begin());
    turns_ = ir.CreateAlloca(ir.getInt64Ty(), nullptr, "spin.turns");
    idle_ = ir.CreateAlloca(ir.getInt1Ty(), nullptr, "spin.idle");
  }

  Instruction *split(BasicBlock &latch) {
    return llvm::SplitEdge(&latch, loop_.getHeader())->getTerminator();
  }
  void wait(llvm::IRBuilder<> &ir, Value *turns) {
    llvm::Type *i32 = ir.getInt32Ty(), *i64 = ir.getInt64Ty();
    auto spin = loop_.getHeader()->getModule()->getOrInsertFunction("kiln.wait.spin", i64, i32, i32, i64);
    ir.SetCurrentDebugLocation(at_);
    ir.CreateCall(spin, {ir.getInt32(0), ir.getInt32(0), turns});
  }

  void wait_when_idle(BasicBlock &latch) {
    struct Pair {
      PHINode *phi;
      Value *next;
    };
    std::vector<Pair> carried;
    for (PHINode &phi : loop_.getHeader()->phis())
      if (slice_.count(&phi) && phi.getIncomingValueForBlock(&latch) != &phi)
        carried.push_back({&phi, phi.getIncomingValueForBlock(&latch)});
    llvm::IRBuilder<> ir(split(latch));
    Value *idle = ir.CreateLoad(ir.getInt1Ty(), idle_);
    for (const Pair &pair : carried) {
      Value *now = ir.CreateFreeze(pair.phi), *next = ir.CreateFreeze(pair.next);
      if (now->getType()->isFloatingPointTy()) {
        llvm::Type *bits = ir.getIntNTy(unsigned(now->getType()->getPrimitiveSizeInBits().getFixedValue()));
        now = ir.CreateBitCast(now, bits), next = ir.CreateBitCast(next, bits);
      }
      idle = ir.CreateAnd(idle, ir.CreateICmpEQ(now, next));
    }
    Instruction *waits = nullptr, *works = nullptr;
    llvm::SplitBlockAndInsertIfThenElse(idle, &*ir.GetInsertPoint(), &waits, &works);
    ir.SetInsertPoint(works);
    ir.CreateStore(ir.getInt64(0), turns_);
    ir.SetInsertPoint(waits);
    Value *turns = ir.CreateAdd(ir.CreateLoad(ir.getInt64Ty(), turns_), ir.getInt64(1));
    ir.CreateStore(turns, turns_);
    wait(ir, turns);
  }

  void count_turn(BasicBlock &latch) {
    llvm::IRBuilder<> ir(split(latch));
    Value *turns = ir.CreateAdd(ir.CreateLoad(ir.getInt64Ty(), turns_), ir.getInt64(1));
    ir.CreateStore(turns, turns_);
    Value *due = ir.CreateICmpEQ(ir.CreateAnd(turns, ir.getInt64(CountedTurns - 1)), ir.getInt64(0));
    ir.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(due, &*ir.GetInsertPoint(), false));
    wait(ir, ir.getInt64(0));
  }

  llvm::Loop &loop_;
  llvm::AllocaInst *&turns_, *&idle_; ///< of this loop; made on first use
  llvm::DebugLoc at_;
  std::vector<Instruction *> work_;                    ///< the first of each block that does some
  std::set<const BasicBlock *> working_, idle_blocks_; ///< membership only
  std::set<const Instruction *> slice_;                ///< likewise
  llvm::SmallVector<BasicBlock *, 4> latches_;
  bool reads_ = false, reads_shared_ = false, lock_free_ = false;
};

} // namespace

void add_spin_waits(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || is_reporter(function) || calls_itself(function)) continue;
    // A loop is split by what is added, so each is looked for anew.
    std::set<const BasicBlock *> seen; // membership only
    for (bool found = true; found;) {
      found = false;
      llvm::DominatorTree tree(function);
      llvm::LoopInfo loops(tree);
      auto order = loops.getLoopsInPreorder();
      for (llvm::Loop *loop : llvm::reverse(order)) {
        if (!seen.insert(loop->getHeader()).second) continue;
        llvm::AllocaInst *turns = nullptr, *idle = nullptr;
        if (SpinLoop(*loop, turns, idle).instrument()) {
          found = true;
          break;
        }
      }
    }
  }
}

} // namespace kiln::native
