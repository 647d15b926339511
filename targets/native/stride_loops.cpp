// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stride_loops.h"

#include "passes.h"
#include "stride_shape.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
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

/// True if the value is the same in every iteration, also if LLVM has not hoisted its instruction.
bool is_invariant(const llvm::Loop &loop, const Value *value, unsigned depth = 0) {
  auto *instruction = llvm::dyn_cast<Instruction>(value);
  if (!instruction || !loop.contains(instruction)) return true;
  return depth < 6 && !llvm::isa<PHINode>(instruction) &&
         (!instruction->mayReadOrWriteMemory() || is_invariant_load(*instruction)) &&
         llvm::all_of(
             instruction->operands(),
             [&](const llvm::Use &use) { return is_invariant(loop, use, depth + 1); });
}

class StrideLoop : public StrideShape {
public:
  StrideLoop(llvm::Function &kernel, llvm::Loop &loop, const Uniformity &uniformity,
             const llvm::DominatorTree &tree)
      : StrideShape(kernel, loop, uniformity, tree), ir_(kernel.getContext()) {}

  void split(StrideLoops &found) {
    for (auto at = between_.rbegin(); at != between_.rend(); ++at)
      for (Instruction &instruction : llvm::make_early_inc_range(**at))
        if (!instruction.isTerminator()) instruction.moveBefore(guard_->getTerminator());
    clone_body();
    make_top();
    make_rest();
    found.tops.push_back(top_);
    if (!may_throw_) found.whole.push_back(llvm::cast<BranchInst>(top_->getTerminator())->getSuccessor(0));
  }

private:
  Value *holds(llvm::IRBuilder<> &ir, Value *condition, bool wanted) {
    return wanted ? condition : ir.CreateNot(condition);
  }

  void clone_body() {
    for (BasicBlock *block : loop_.blocks()) {
      BasicBlock *copy = llvm::CloneBasicBlock(block, copies_, ".together", &kernel_);
      copies_[block] = copy;
      cloned_.push_back(copy);
      // Branches of the copies to dead ends are new incoming edges of the phis there.
      for (BasicBlock *next : llvm::successors(block))
        if (!loop_.contains(next) && next != exit_)
          for (PHINode &phi : next->phis()) phi.addIncoming(phi.getIncomingValueForBlock(block), copy);
    }
    llvm::remapInstructionsInBlocks(cloned_, copies_);
    for (BasicBlock *copy : cloned_)
      for (BasicBlock *next : llvm::successors(copy))
        if (!llvm::is_contained(cloned_, next) && next != exit_)
          for (PHINode &phi : next->phis())
            if (int at = phi.getBasicBlockIndex(copy); at >= 0)
              phi.setIncomingValue(unsigned(at), copy_of(phi.getIncomingValue(unsigned(at))));
  }
  /// Emits `all` and the condition that no thread throws in this iteration. In the common iteration, the
  /// checks are then known to hold.
  Value *decide_checks(Value *all, llvm::ValueToValueMapTy &offsets) {
    for (const TurnCheck &check : checks_)
      all = ir_.CreateAnd(all, across_.all(ir_, check.branch->getCondition(), check.stays == 0, offsets));
    if (!may_throw_) {
      llvm::Module &module = *kernel_.getParent();
      llvm::FunctionCallee none_ended = module.getOrInsertFunction(NoneEnded, ir_.getInt1Ty());
      for (auto attribute :
           {llvm::Attribute::Speculatable, llvm::Attribute::NoUnwind, llvm::Attribute::WillReturn})
        llvm::cast<llvm::Function>(none_ended.getCallee())->addFnAttr(attribute);
      llvm::cast<llvm::Function>(none_ended.getCallee())->setDoesNotAccessMemory();
      all = ir_.CreateAnd(all, ir_.CreateCall(none_ended));
    }
    return all;
  }
  void drop_checks() {
    for (const TurnCheck &check : checks_) {
      auto *branch = llvm::cast<BranchInst>(copy_of(check.branch));
      branch->getSuccessor(1 - check.stays)
          ->removePredecessor(branch->getParent(), /*KeepOneInputPHIs=*/true);
      copies_[check.branch] = BranchInst::Create(branch->getSuccessor(check.stays), branch->getIterator());
      branch->eraseFromParent();
    }
  }

  Value *copy_of(Value *value) {
    auto found = copies_.find(value);
    return found == copies_.end() ? value : &*found->second;
  }

  /// Emits the start of each common iteration: its phis, and the decision whether all threads execute it.
  void make_top() {
    auto *first = llvm::cast<BasicBlock>(copy_of(header_)), *last = llvm::cast<BasicBlock>(copy_of(latch_));
    top_ = BasicBlock::Create(kernel_.getContext(), "turn", &kernel_, first);
    rest_ = BasicBlock::Create(kernel_.getContext(), "rest", &kernel_, header_);
    ir_.SetInsertPoint(guard_->getTerminator());
    llvm::ValueToValueMapTy at_start;
    Value *all_begin =
        llvm::isa<llvm::Constant>(has_turn_) ? has_turn_ : across_.all(ir_, has_turn_, turn_if_, at_start);

    ir_.SetInsertPoint(top_);
    together_ = ir_.CreatePHI(ir_.getInt1Ty(), 2, "all");
    begun_ = ir_.CreatePHI(ir_.getInt1Ty(), 2, "begun");
    llvm::ValueToValueMapTy offsets;
    // Pairs of phis: the growth since the first iteration, now and one iteration ago.
    std::vector<std::pair<PHINode *, PHINode *>> added;
    for (const Growing &g : growing_)
      added.push_back({ir_.CreatePHI(g.phi->getType(), 2, "offset"),
                       ir_.CreatePHI(g.phi->getType(), 2, "offset.before")});
    for (PHINode &phi : header_->phis())
      if (auto *copy = llvm::cast<PHINode>(copy_of(&phi)); !is_growing(phi)) {
        PHINode *made = ir_.CreatePHI(phi.getType(), 2);
        made->addIncoming(phi.getIncomingValueForBlock(before_), guard_);
        made->addIncoming(copy_of(phi.getIncomingValueForBlock(latch_)), last);
        at_top_[&phi] = made;
        copy->replaceAllUsesWith(made);
      }
    // Most values with which a thread leaves the loop equal the values at the start of the next iteration.
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
    ir_.CreateCondBr(decide_checks(together_, offsets), first, rest_);
    drop_checks();
    for (PHINode &phi : llvm::make_early_inc_range(first->phis())) phi.eraseFromParent();

    // The end of an iteration.
    ir_.SetInsertPoint(last->getTerminator());
    llvm::ValueToValueMapTy in_place;
    for (BasicBlock *block : loop_.blocks())
      for (Instruction &instruction : *block)
        if (!llvm::isa<PHINode>(instruction)) in_place[&instruction] = copy_of(&instruction);
    for (auto &[phi, value] : at_top_) in_place[phi] = value;
    for (const auto &[phi, offset] : offsets) in_place[phi] = &*offset;
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
  /// Finds a value of the last common iteration among the phis of its end. Null: the value must be stored.
  /// Before make_top() is complete, use the result only to test for null.
  Value *left_value(Value *value) {
    auto *instruction = llvm::dyn_cast<Instruction>(value);
    if (!instruction || !loop_.contains(instruction)) return value;
    for (PHINode &phi : header_->phis()) {
      if (phi.getIncomingValueForBlock(latch_) == value) return at_top_.count(&phi) ? at_top_.at(&phi) : &phi;
      if (&phi == value && is_growing(phi)) return before_top_.count(&phi) ? before_top_.at(&phi) : &phi;
    }
    return nullptr;
  }

  /// Emits the code after the common iterations: each thread continues in the original loop, or leaves it.
  void make_rest() {
    // Recompute the loop's last condition from the growing phis' values one iteration ago.
    auto *left = BasicBlock::Create(kernel_.getContext(), "rest.left", &kernel_, exit_);
    ir_.SetInsertPoint(rest_);
    Value *continues = holds(ir_, condition_before(stay_condition()), stays_if_);
    Value *has_turn = holds(ir_, has_turn_, turn_if_);
    Value *more = ir_.CreateSelect(begun_, continues, has_turn, "more");
    auto *enter = BasicBlock::Create(kernel_.getContext(), "rest.enter", &kernel_, header_);
    ir_.CreateCondBr(more, enter, left);
    ir_.SetInsertPoint(enter);
    ir_.CreateBr(header_);
    for (PHINode &phi : header_->phis()) {
      int at = phi.getBasicBlockIndex(before_);
      phi.setIncomingValue(unsigned(at), at_top_.at(&phi));
      phi.setIncomingBlock(unsigned(at), enter);
    }
    // A thread that leaves goes to the loop's exit if an iteration ran, else to the target of threads without
    // an iteration.
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
    for (BasicBlock *block : between_) block->getTerminator()->eraseFromParent();
    for (BasicBlock *block : between_) block->eraseFromParent();
  }

  /// Emits the condition to stay in the loop, as it was at the end of the last common iteration.
  Value *condition_before(Value *value) {
    if (auto *phi = llvm::dyn_cast<PHINode>(value))
      if (auto found = before_top_.find(phi); found != before_top_.end()) return found->second;
    auto *instruction = llvm::dyn_cast<Instruction>(value);
    if (!instruction || !loop_.contains(instruction)) return value;
    Value *&made = rebuilt_[value];
    if (made) return made;
    Instruction *copy = instruction->clone();
    copy->dropPoisonGeneratingFlags();
    for (llvm::Use &use : copy->operands()) use.set(condition_before(use));
    return rebuilt_[value] = ir_.Insert(copy);
  }

  llvm::IRBuilder<> ir_;
  llvm::ValueToValueMapTy copies_;
  llvm::SmallVector<BasicBlock *, 8> cloned_;
  BasicBlock *top_ = nullptr, *rest_ = nullptr;
  PHINode *together_ = nullptr, *begun_ = nullptr;
  std::map<const PHINode *, Value *> at_top_, before_top_; ///< never iterated
  std::map<const Value *, PHINode *> others_;              ///< likewise
  std::map<Value *, Value *> rebuilt_;                     ///< likewise
  std::vector<Value *> left_;
};

} // namespace

bool may_have_stride_loops(llvm::Function &kernel) {
  llvm::DominatorTree tree(kernel);
  llvm::LoopInfo loops(tree);
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost()) continue;
    for (PHINode &phi : loop->getHeader()->phis()) {
      if (!phi.getType()->isIntegerTy()) continue;
      llvm::SmallVector<Value *, 4> nexts;
      for (Value *incoming : phi.incoming_values()) // Python's iteration protocol puts another phi in between
        if (auto *joined = llvm::dyn_cast<PHINode>(incoming);
            joined && joined != &phi && loop->contains(joined))
          nexts.append(joined->value_op_begin(), joined->value_op_end());
        else
          nexts.push_back(incoming);
      for (Value *next : nexts)
        if (Value *step = step_of(phi, next);
            step && !llvm::isa<llvm::Constant>(step) && is_invariant(*loop, step))
          return true;
    }
  }
  return false;
}

StrideLoops split_stride_loops(llvm::Function &kernel,
                               llvm::function_ref<void(llvm::FunctionPassManager)> run) {
  llvm::FunctionPassManager canonical = simplification();
  canonical.addPass(llvm::InstCombinePass()); // removes an iteration's `nothing`
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
  constexpr unsigned max_loops = 4;
  StrideLoops split;
  std::set<BasicBlock *> seen; // never iterated
  for (bool found = true; found && split.tops.size() < max_loops;) {
    found = false;
    llvm::DominatorTree tree(kernel);
    llvm::LoopInfo loops(tree);
    Uniformity uniformity(kernel);
    for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
      if (!loop->isInnermost() || !seen.insert(loop->getHeader()).second) continue;
      StrideLoop stride(kernel, *loop, uniformity, tree);
      if (!stride.find()) continue;
      stride.split(split);
      seen.insert(split.tops.back());
      found = true;
      break;
    }
  }
  return split;
}

void lower_none_ended(llvm::Function &kernel, Value *ended) {
  llvm::Function *function = kernel.getParent()->getFunction(NoneEnded);
  if (!function) return;
  for (llvm::User *user : llvm::make_early_inc_range(function->users())) {
    auto *call = llvm::cast<llvm::CallInst>(user);
    if (call->getFunction() != &kernel) continue;
    llvm::IRBuilder<> ir(call);
    call->replaceAllUsesWith(ended ? ir.CreateICmpEQ(ir.CreateLoad(ir.getInt32Ty(), ended), ir.getInt32(0))
                                   : ir.getTrue());
    call->eraseFromParent();
  }
}

} // namespace kiln::native
