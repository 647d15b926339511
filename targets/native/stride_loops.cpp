// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stride_loops.h"

#include "across_block.h"
#include "parts.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

namespace kiln::native {
namespace {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

/// A phi that starts with a value for each thread, and grows in each turn by one that is the same for all.
struct Growing {
  PHINode *phi;
  Value *start;
  llvm::BinaryOperator *next; ///< phi + step or phi - step
  Value *step;
};

/// What is added to the phi or subtracted from it, if that is how `value` comes about.
Value *step_of(const PHINode &phi, Value *value) {
  auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (!sum || (sum->getOpcode() != Instruction::Add && sum->getOpcode() != Instruction::Sub))
    return nullptr;
  const bool first = sum->getOperand(0) == &phi, second = sum->getOperand(1) == &phi && sum->getOpcode() == Instruction::Add;
  return first || second ? sum->getOperand(first ? 1 : 0) : nullptr;
}

/// Whether it is the same in every turn, hoisted or not.
bool is_invariant(const llvm::Loop &loop, const Value *value, unsigned depth = 0) {
  auto *instruction = llvm::dyn_cast<Instruction>(value);
  if (!instruction || !loop.contains(instruction))
    return true;
  return depth < 6 && !llvm::isa<PHINode>(instruction) && (!instruction->mayReadOrWriteMemory() || is_invariant_load(*instruction)) &&
         llvm::all_of(instruction->operands(), [&](const llvm::Use &use) { return is_invariant(loop, use, depth + 1); });
}

/// One loop: `if (g) do ... while (c)`.
class StrideLoop {
public:
  StrideLoop(llvm::Function &kernel, llvm::Loop &loop, const Uniformity &uniformity)
      : kernel_(kernel), loop_(loop), uniformity_(uniformity), across_(kernel, uniformity), ir_(kernel.getContext()) {}

  /// Whether it is one. Changes nothing.
  bool fits() {
    return has_shape() && find_growing() && find_guard() && reads_side_by_side() && across_.supports(stay_condition()) && can_repeat(stay_condition());
  }

  /// The block that all threads come to together in front of each turn.
  BasicBlock *split() {
    for (auto at = between_.rbegin(); at != between_.rend(); ++at)
      for (Instruction &instruction : llvm::make_early_inc_range(**at))
        if (!instruction.isTerminator())
          instruction.moveBefore(guard_->getTerminator());
    clone_body();
    make_top();
    make_rest();
    return top_;
  }

private:
  bool has_shape() {
    header_ = loop_.getHeader(), latch_ = loop_.getLoopLatch(), before_ = loop_.getLoopPreheader();
    if (!loop_.isLoopSimplifyForm() || !loop_.isInnermost() || !loop_.isLoopExiting(latch_) || !loop_.isSafeToClone())
      return false;
    end_ = llvm::dyn_cast<BranchInst>(latch_->getTerminator());
    if (!end_ || !end_->isConditional())
      return false;
    stays_if_ = end_->getSuccessor(0) == header_;
    exit_ = end_->getSuccessor(stays_if_ ? 1 : 0);
    // Threads leave it at its end alone, or throw.
    llvm::SmallVector<BasicBlock *, 4> exiting;
    loop_.getExitingBlocks(exiting);
    for (BasicBlock *block : exiting)
      for (BasicBlock *next : llvm::successors(block))
        if (block != latch_ && !loop_.contains(next) && uniformity_.lives(next))
          return false;
    return exit_->getSinglePredecessor() == latch_;
  }

  bool find_growing() {
    bool side_by_side = false;
    for (PHINode &phi : header_->phis()) {
      Value *start = phi.getIncomingValueForBlock(before_), *next = phi.getIncomingValueForBlock(latch_);
      Value *step = phi.getType()->isIntegerTy() ? step_of(phi, next) : nullptr;
      if (!step || !loop_.isLoopInvariant(step) || !is_uniform(step) || !across_.slope(start))
        continue;
      growing_.push_back({&phi, start, llvm::cast<llvm::BinaryOperator>(next), step});
      across_.add_phi(phi, start);
      side_by_side |= !across_.slope(start)->constant();
    }
    return side_by_side;
  }
  bool is_uniform(const Value *value) const {
    if (is_thread_index(*value))
      return false;
    auto *instruction = llvm::dyn_cast<Instruction>(value);
    return !instruction || uniformity_.is_uniform(*instruction);
  }

  /// The branch that decides whether a thread has a turn at all; without one all have.
  bool find_guard() {
    BasicBlock *block = before_;
    while (is_harmless(*block) && llvm::succ_size(block) == 1 && block->getSinglePredecessor()) {
      between_.push_back(block);
      block = block->getSinglePredecessor();
    }
    auto *branch = llvm::dyn_cast<BranchInst>(block->getTerminator());
    if (between_.empty() || !branch || !branch->isConditional() || uniformity_.ends_uniformly(block)) {
      between_.clear(); // all come to it together, or the plan of regions says no
      guard_ = before_;
      has_turn_ = ir_.getTrue();
      return true;
    }
    guard_ = block;
    turn_if_ = branch->getSuccessor(0) == between_.back();
    other_ = branch->getSuccessor(turn_if_ ? 1 : 0);
    has_turn_ = branch->getCondition();
    return other_ != between_.back() && across_.supports(has_turn_);
  }
  static bool is_harmless(const BasicBlock &block) {
    return llvm::all_of(block, [](const Instruction &instruction) {
      return instruction.isTerminator() || instruction.isDebugOrPseudoInst() ||
             (!llvm::isa<PHINode>(instruction) && (!instruction.mayReadOrWriteMemory() || is_invariant_load(instruction)) &&
              llvm::isSafeToSpeculativelyExecute(&instruction));
    });
  }

  /// Some accesses are side by side, and nothing is called that others could notice.
  bool reads_side_by_side() {
    unsigned found = 0;
    for (BasicBlock *block : loop_.blocks())
      for (Instruction &instruction : *block) {
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
          if (call->isConvergent() || (call->mayHaveSideEffects() && !call->isAtomic() && !llvm::isa<llvm::IntrinsicInst>(call)))
            return false;
        } else if (instruction.isVolatile()) {
          return false;
        } else if (const Value *pointer = llvm::getLoadStorePointerOperand(&instruction)) {
          std::optional<Slope> slope = across_.slope(pointer);
          const uint64_t bytes = kernel_.getDataLayout().getTypeAllocSize(llvm::getLoadStoreType(&instruction));
          found += slope && !slope->either_sign && slope->step > 0 && uint64_t(slope->step) <= 4 * bytes;
        }
      }
    return found != 0;
  }

  Value *stay_condition() const { return end_->getCondition(); }
  Value *holds(llvm::IRBuilder<> &ir, Value *condition, bool wanted) { return wanted ? condition : ir.CreateNot(condition); }

  /// Whether it follows from growing phis and from what the loop does not change.
  bool can_repeat(const Value *value, unsigned depth = 0) const {
    auto *instruction = llvm::dyn_cast<Instruction>(value);
    if (!instruction || !loop_.contains(instruction))
      return true;
    if (auto *phi = llvm::dyn_cast<PHINode>(instruction))
      return is_growing(*phi);
    return depth < 8 && !instruction->mayReadOrWriteMemory() && llvm::isSafeToSpeculativelyExecute(instruction) &&
           llvm::all_of(instruction->operands(), [&](const llvm::Use &use) { return can_repeat(use, depth + 1); });
  }

  void clone_body() {
    for (BasicBlock *block : loop_.blocks()) {
      BasicBlock *copy = llvm::CloneBasicBlock(block, copies_, ".together", &kernel_);
      copies_[block] = copy;
      cloned_.push_back(copy);
      // Dead ends are reached from here too.
      for (BasicBlock *next : llvm::successors(block))
        if (!loop_.contains(next) && next != exit_)
          for (PHINode &phi : next->phis())
            phi.addIncoming(phi.getIncomingValueForBlock(block), copy);
    }
    llvm::remapInstructionsInBlocks(cloned_, copies_);
    for (BasicBlock *copy : cloned_)
      for (BasicBlock *next : llvm::successors(copy))
        if (!llvm::is_contained(cloned_, next) && next != exit_)
          for (PHINode &phi : next->phis())
            if (int at = phi.getBasicBlockIndex(copy); at >= 0)
              phi.setIncomingValue(unsigned(at), copy_of(phi.getIncomingValue(unsigned(at))));
  }
  Value *copy_of(Value *value) {
    auto found = copies_.find(value);
    return found == copies_.end() ? value : &*found->second;
  }

  /// The beginning of each turn: the phis, and whether all threads take it.
  void make_top() {
    auto *first = llvm::cast<BasicBlock>(copy_of(header_)), *last = llvm::cast<BasicBlock>(copy_of(latch_));
    top_ = BasicBlock::Create(kernel_.getContext(), "turn", &kernel_, first);
    rest_ = BasicBlock::Create(kernel_.getContext(), "rest", &kernel_, header_);
    ir_.SetInsertPoint(guard_->getTerminator());
    llvm::ValueToValueMapTy at_start;
    Value *all_begin = llvm::isa<llvm::Constant>(has_turn_) ? has_turn_ : across_.all(ir_, has_turn_, turn_if_, at_start);

    ir_.SetInsertPoint(top_);
    together_ = ir_.CreatePHI(ir_.getInt1Ty(), 2, "all");
    begun_ = ir_.CreatePHI(ir_.getInt1Ty(), 2, "begun");
    llvm::ValueToValueMapTy offsets;
    std::vector<std::pair<PHINode *, PHINode *>> added; // the offset now, and a turn before
    for (const Growing &g : growing_)
      added.push_back({ir_.CreatePHI(g.phi->getType(), 2, "offset"), ir_.CreatePHI(g.phi->getType(), 2, "offset.before")});
    for (PHINode &phi : header_->phis())
      if (auto *copy = llvm::cast<PHINode>(copy_of(&phi)); !is_growing(phi)) {
        PHINode *made = ir_.CreatePHI(phi.getType(), 2);
        made->addIncoming(phi.getIncomingValueForBlock(before_), guard_);
        made->addIncoming(copy_of(phi.getIncomingValueForBlock(latch_)), last);
        at_top_[&phi] = made;
        copy->replaceAllUsesWith(made);
      }
    // What a thread leaves behind is, most often, what the next turn would begin with.
    for (PHINode &phi : exit_->phis()) {
      Value *value = phi.getIncomingValueForBlock(latch_);
      left_.push_back(value);
      if (!left_value(value)) {
        PHINode *made = ir_.CreatePHI(phi.getType(), 2);
        made->addIncoming(llvm::PoisonValue::get(phi.getType()), guard_);
        made->addIncoming(copy_of(value), last);
        others_[value] = made;
      }
    }
    for (size_t i = 0; i < growing_.size(); ++i) {
      const Growing &g = growing_[i];
      Value *now = ir_.CreateAdd(g.start, added[i].first);
      at_top_[g.phi] = now;
      before_top_[g.phi] = ir_.CreateAdd(g.start, added[i].second);
      copy_of(g.phi)->replaceAllUsesWith(now);
      offsets[g.phi] = added[i].first;
    }
    ir_.CreateCondBr(together_, first, rest_);
    for (PHINode &phi : llvm::make_early_inc_range(first->phis()))
      phi.eraseFromParent();

    // The end of a turn.
    ir_.SetInsertPoint(last->getTerminator());
    llvm::ValueToValueMapTy in_place;
    for (BasicBlock *block : loop_.blocks())
      for (Instruction &instruction : *block)
        if (!llvm::isa<PHINode>(instruction))
          in_place[&instruction] = copy_of(&instruction);
    for (auto &[phi, value] : at_top_)
      in_place[phi] = value;
    for (const auto &[phi, offset] : offsets)
      in_place[phi] = &*offset;
    Value *all_go_on = across_.all(ir_, stay_condition(), stays_if_, in_place);
    for (size_t i = 0; i < growing_.size(); ++i) {
      const Growing &g = growing_[i];
      auto [now, before] = added[i];
      Value *zero = llvm::ConstantInt::get(g.phi->getType(), 0);
      now->addIncoming(zero, guard_);
      now->addIncoming(ir_.CreateBinOp(g.next->getOpcode(), now, g.step), last);
      before->addIncoming(zero, guard_);
      before->addIncoming(now, last);
    }
    together_->addIncoming(all_begin, guard_);
    together_->addIncoming(all_go_on, last);
    begun_->addIncoming(ir_.getFalse(), guard_);
    begun_->addIncoming(ir_.getTrue(), last);
    last->getTerminator()->eraseFromParent();
    BranchInst::Create(top_, last);
  }
  bool is_growing(const PHINode &phi) const {
    return llvm::any_of(growing_, [&](const Growing &g) { return g.phi == &phi; });
  }
  /// A value of the last turn as it is known behind it; null if it has to be kept. Before the top is complete: only which.
  Value *left_value(Value *value) {
    auto *instruction = llvm::dyn_cast<Instruction>(value);
    if (!instruction || !loop_.contains(instruction))
      return value;
    for (PHINode &phi : header_->phis()) {
      if (phi.getIncomingValueForBlock(latch_) == value)
        return at_top_.count(&phi) ? at_top_.at(&phi) : &phi;
      if (&phi == value && is_growing(phi))
        return before_top_.count(&phi) ? before_top_.at(&phi) : &phi;
    }
    return nullptr;
  }

  /// Behind the turns that all take: each thread goes on in the loop as it was, or leaves it.
  void make_rest() {
    // A growing phi's last condition, from where it was in the turn before.
    auto *left = BasicBlock::Create(kernel_.getContext(), "rest.left", &kernel_, exit_);
    ir_.SetInsertPoint(rest_);
    Value *goes_on = holds(ir_, condition_before(stay_condition()), stays_if_);
    Value *has_turn = holds(ir_, has_turn_, turn_if_);
    Value *more = ir_.CreateSelect(begun_, goes_on, has_turn, "more");
    auto *enter = BasicBlock::Create(kernel_.getContext(), "rest.enter", &kernel_, header_);
    ir_.CreateCondBr(more, enter, left);
    ir_.SetInsertPoint(enter);
    ir_.CreateBr(header_);
    for (PHINode &phi : header_->phis()) {
      int at = phi.getBasicBlockIndex(before_);
      phi.setIncomingValue(unsigned(at), at_top_.at(&phi));
      phi.setIncomingBlock(unsigned(at), enter);
    }
    // Out: behind the loop if it was begun, else where a thread without a turn goes.
    ir_.SetInsertPoint(left);
    if (other_) {
      ir_.CreateCondBr(begun_, exit_, other_);
      for (PHINode &phi : other_->phis())
        phi.setIncomingBlock(unsigned(phi.getBasicBlockIndex(guard_)), left);
    } else {
      ir_.CreateBr(exit_);
    }
    size_t i = 0;
    for (PHINode &phi : exit_->phis()) {
      Value *value = left_value(left_[i]);
      phi.addIncoming(value ? value : others_.at(left_[i]), left);
      ++i;
    }
    ir_.SetInsertPoint(guard_->getTerminator());
    ir_.CreateBr(top_);
    guard_->getTerminator()->eraseFromParent();
    for (BasicBlock *block : between_)
      block->getTerminator()->eraseFromParent();
    for (BasicBlock *block : between_)
      block->eraseFromParent();
  }

  /// The condition to stay as it was at the end of the last turn.
  Value *condition_before(Value *value) {
    if (auto *phi = llvm::dyn_cast<PHINode>(value))
      if (auto found = before_top_.find(phi); found != before_top_.end())
        return found->second;
    auto *instruction = llvm::dyn_cast<Instruction>(value);
    if (!instruction || !loop_.contains(instruction))
      return value;
    Value *&made = rebuilt_[value];
    if (made)
      return made;
    Instruction *copy = instruction->clone();
    copy->dropPoisonGeneratingFlags();
    for (llvm::Use &use : copy->operands())
      use.set(condition_before(use));
    return rebuilt_[value] = ir_.Insert(copy);
  }

  llvm::Function &kernel_;
  llvm::Loop &loop_;
  const Uniformity &uniformity_;
  AcrossBlock across_;
  llvm::IRBuilder<> ir_;
  BasicBlock *header_ = nullptr, *latch_ = nullptr, *before_ = nullptr, *exit_ = nullptr;
  BranchInst *end_ = nullptr;
  bool stays_if_ = true, turn_if_ = true;
  std::vector<Growing> growing_;
  BasicBlock *guard_ = nullptr, *other_ = nullptr; ///< where it is decided, and where threads without a turn go
  std::vector<BasicBlock *> between_;              ///< the guard and the loop
  Value *has_turn_ = nullptr;

  llvm::ValueToValueMapTy copies_;
  llvm::SmallVector<BasicBlock *, 8> cloned_;
  BasicBlock *top_ = nullptr, *rest_ = nullptr;
  PHINode *together_ = nullptr, *begun_ = nullptr;
  std::map<const PHINode *, Value *> at_top_, before_top_; ///< look-up only
  std::map<const Value *, PHINode *> others_;              ///< likewise
  std::map<Value *, Value *> rebuilt_;                     ///< likewise
  std::vector<Value *> left_;
};

} // namespace

bool may_have_stride_loops(llvm::Function &kernel) {
  llvm::DominatorTree tree(kernel);
  llvm::LoopInfo loops(tree);
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost())
      continue;
    for (PHINode &phi : loop->getHeader()->phis()) {
      if (!phi.getType()->isIntegerTy())
        continue;
      llvm::SmallVector<Value *, 4> nexts;
      for (Value *incoming : phi.incoming_values()) // the language's iteration goes through a further phi
        if (auto *joined = llvm::dyn_cast<PHINode>(incoming); joined && joined != &phi && loop->contains(joined))
          nexts.append(joined->value_op_begin(), joined->value_op_end());
        else
          nexts.push_back(incoming);
      for (Value *next : nexts)
        if (Value *step = step_of(phi, next); step && !llvm::isa<llvm::Constant>(step) && is_invariant(*loop, step))
          return true;
    }
  }
  return false;
}

std::vector<BasicBlock *> split_stride_loops(llvm::Function &kernel, llvm::function_ref<void(llvm::FunctionPassManager)> run) {
  llvm::FunctionPassManager canonical = simplification();
  canonical.addPass(llvm::InstCombinePass()); // what became of an iteration's `nothing`
  canonical.addPass(llvm::LoopSimplifyPass());
  canonical.addPass(llvm::LCSSAPass());
  llvm::LoopPassManager loop_passes;
  loop_passes.addPass(llvm::LoopRotatePass());
  loop_passes.addPass(llvm::LICMPass(llvm::LICMOptions()));
  canonical.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loop_passes), /*UseMemorySSA=*/true));
  canonical.addPass(llvm::InstCombinePass());
  canonical.addPass(llvm::LoopSimplifyPass());
  canonical.addPass(llvm::LCSSAPass());
  run(std::move(canonical));
  constexpr unsigned MaxLoops = 4;
  std::vector<BasicBlock *> tops;
  std::set<BasicBlock *> seen; // membership only
  for (bool found = true; found && tops.size() < MaxLoops;) {
    found = false;
    llvm::DominatorTree tree(kernel);
    llvm::LoopInfo loops(tree);
    Uniformity uniformity(kernel);
    for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
      if (!loop->isInnermost() || !seen.insert(loop->getHeader()).second)
        continue;
      StrideLoop stride(kernel, *loop, uniformity);
      if (!stride.fits())
        continue;
      tops.push_back(stride.split());
      seen.insert(tops.back());
      found = true;
      break;
    }
  }
  return tops;
}

} // namespace kiln::native
