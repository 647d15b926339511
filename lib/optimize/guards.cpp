// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards.h"

#include "linear.h"

#include <llvm_support/llvm_support.h>

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace kiln {
namespace {

using llvm::BasicBlock;
using llvm::ICmpInst;
/// Loops with more instructions are not copied.
constexpr unsigned max_instructions = 200;
constexpr unsigned max_facts = 8;

/// A comparison in the loop, and the value that it should have in all iterations.
struct Fact {
  ICmpInst *comparison;
  bool holds;
};

class GuardVersioning {
public:
  GuardVersioning(llvm::Function &function, llvm::FunctionAnalysisManager &analyses)
      : loops_(analyses.getResult<llvm::LoopAnalysis>(function)),
        tree_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)),
        assumptions_(analyses.getResult<llvm::AssumptionAnalysis>(function)), function_(function) {}

  bool run() {
    llvm::SmallVector<llvm::Loop *, 8> innermost;
    for (llvm::Loop *loop : loops_.getLoopsInPreorder())
      if (loop->isInnermost()) innermost.push_back(loop);
    for (llvm::Loop *loop : innermost)
      if (worth_a_copy(*loop)) version(*loop);
    if (known_.empty()) return changed_;
    for (auto &[comparison, holds] : known_)
      if (comparison)
        llvm::replaceAndRecursivelySimplify(llvm::cast<llvm::Instruction>(comparison),
                                            llvm::ConstantInt::getBool(function_.getContext(), holds));
    for (BasicBlock &block : function_) llvm::ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
    llvm::EliminateUnreachableBlocks(function_);
    return true;
  }

private:
  static bool worth_a_copy(const llvm::Loop &loop) {
    const BasicBlock *latch = loop.getLoopLatch();
    if (!latch || !loop.isLoopExiting(latch) || !loop.isSafeToClone()) return false;
    unsigned instructions = 0;
    for (const BasicBlock *block : loop.blocks())
      for (const llvm::Instruction &instruction : *block) {
        if (instruction.isDebugOrPseudoInst()) continue;
        auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (++instructions > max_instructions ||
            (call && !llvm::isa<llvm::IntrinsicInst>(call) && call->mayWriteToMemory()))
          return false; // the latter prevents vectorising
      }
    return true;
  }

  void version(llvm::Loop &loop) {
    llvm::SmallVector<Fact, 4> candidates = facts(loop);
    if (candidates.empty()) return;
    if (!loop.isLoopSimplifyForm())
      changed_ |= llvm::simplifyLoop(&loop, &tree_, &loops_, &evolution_, &assumptions_, nullptr,
                                     /*PreserveLCSSA=*/false);
    if (!loop.isLoopSimplifyForm()) return;
    changed_ |= llvm::formLCSSA(loop, tree_, &loops_, &evolution_);

    BasicBlock *latch = loop.getLoopLatch(), *before = loop.getLoopPreheader();
    const llvm::SCEV *trips = evolution_.getExitCount(&loop, latch);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(trips)) return;
    llvm::Value *check = nullptr;
    llvm::SmallVector<Fact, 4> checked;
    {
      LinearEnds ends(evolution_, loop, trips, *before->getTerminator());
      if (!ends.supports(trips)) return;
      for (Fact fact : candidates)
        if (checked.size() < max_facts && check_fact(ends, fact)) checked.push_back(fact);
      check = ends.all_checks();
    }
    if (!checked.empty()) copy(loop, *check, checked);
  }

  /// Finds the comparisons that let an iteration skip work or leave the loop early.
  llvm::SmallVector<Fact, 4> facts(const llvm::Loop &loop) const {
    llvm::SmallVector<Fact, 4> found;
    for (BasicBlock *block : loop.blocks()) {
      auto *branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      if (!branch || !branch->isConditional() || block == loop.getLoopLatch()) continue;
      for (bool side : {true, false}) {
        BasicBlock *work = branch->getSuccessor(side ? 0 : 1), *other = branch->getSuccessor(side ? 1 : 0);
        if (work != other && loop.contains(work) && (!loop.contains(other) || leads_to(loop, work, other)))
          add_facts(branch->getCondition(), side, loop, found);
      }
    }
    return found;
  }

  /// True if control can get from block `from` to block `to` within one iteration.
  static bool leads_to(const llvm::Loop &loop, BasicBlock *from, BasicBlock *to) {
    llvm::SmallVector<BasicBlock *, 8> pending{from};
    llvm::SmallPtrSet<BasicBlock *, 8> seen;
    while (!pending.empty()) {
      BasicBlock *block = pending.pop_back_val();
      if (block == to) return true;
      if (!seen.insert(block).second) continue;
      for (BasicBlock *next : llvm::successors(block))
        if (loop.contains(next) && next != loop.getHeader()) pending.push_back(next);
    }
    return false;
  }

  static void add_facts(llvm::Value *condition, bool holds, const llvm::Loop &loop,
                        llvm::SmallVectorImpl<Fact> &found) {
    using namespace llvm::PatternMatch;
    llvm::Value *left, *right;
    if (match(condition, m_Freeze(m_Value(left)))) return add_facts(left, holds, loop, found);
    if (match(condition, m_Not(m_Value(left)))) return add_facts(left, !holds, loop, found);
    if (holds ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
              : match(condition, m_LogicalOr(m_Value(left), m_Value(right)))) {
      add_facts(left, holds, loop, found);
      return add_facts(right, holds, loop, found);
    }
    auto *comparison = llvm::dyn_cast<ICmpInst>(condition);
    if (!comparison || !loop.contains(comparison) || !comparison->getOperand(0)->getType()->isIntegerTy())
      return;
    if (llvm::none_of(found, [&](const Fact &fact) { return fact.comparison == comparison; }))
      found.push_back({comparison, holds});
  }

  /// Emits checks that the fact holds in the first and in the last iteration. Then it holds in all
  /// iterations, since both sides of the comparison are linear.
  bool check_fact(LinearEnds &ends, Fact fact) {
    const llvm::SCEV *left = evolution_.getSCEV(fact.comparison->getOperand(0)),
                     *right = evolution_.getSCEV(fact.comparison->getOperand(1));
    if (!ends.supports(left) || !ends.supports(right)) return false;
    auto predicate = fact.holds ? fact.comparison->getPredicate() : fact.comparison->getInversePredicate();
    const bool as_signed = !ICmpInst::isUnsigned(predicate);
    Ends a = ends.ends(left, as_signed), b = ends.ends(right, as_signed);
    auto &ir = ends.ir();
    // Both sides are linear, so that they differ in between if the same side is less at both ends.
    if (predicate == ICmpInst::ICMP_NE)
      ends.require(
          ir.CreateOr(ir.CreateAnd(ir.CreateICmpSLT(a.first, b.first), ir.CreateICmpSLT(a.last, b.last)),
                      ir.CreateAnd(ir.CreateICmpSGT(a.first, b.first), ir.CreateICmpSGT(a.last, b.last))));
    else {
      auto exact = ICmpInst::isEquality(predicate) ? predicate : ICmpInst::getSignedPredicate(predicate);
      ends.require(ir.CreateICmp(exact, a.first, b.first));
      ends.require(ir.CreateICmp(exact, a.last, b.last));
    }
    return true;
  }

  /// Inserts a copy of the loop before it. The copy runs if `check` is true, and the original otherwise.
  void copy(llvm::Loop &loop, llvm::Value &check, llvm::ArrayRef<Fact> facts) {
    BasicBlock *decision = loop.getLoopPreheader();
    BasicBlock *preheader =
        llvm::SplitBlock(decision, decision->getTerminator(), &tree_, &loops_, nullptr, "guarded");
    llvm::SmallVector<BasicBlock *, 8> exits, blocks;
    loop.getUniqueExitBlocks(exits);
    llvm::ValueToValueMapTy copies;
    llvm::cloneLoopWithPreheader(preheader, decision, &loop, copies, ".unguarded", &loops_, &tree_, blocks);
    llvm::remapInstructionsInBlocks(blocks, copies);
    auto copy_of = [&](llvm::Value *value) -> llvm::Value * {
      auto found = copies.find(value);
      return found == copies.end() ? value : &*found->second;
    };
    for (BasicBlock *exit : exits)
      for (llvm::PHINode &phi : exit->phis())
        for (unsigned i = 0, count = phi.getNumIncomingValues(); i < count; ++i)
          if (loop.contains(phi.getIncomingBlock(i)))
            phi.addIncoming(copy_of(phi.getIncomingValue(i)),
                            llvm::cast<BasicBlock>(copy_of(phi.getIncomingBlock(i))));
    llvm::Instruction *jump = decision->getTerminator();
    llvm::BranchInst::Create(llvm::cast<BasicBlock>(copy_of(preheader)), preheader, &check,
                             jump->getIterator());
    jump->eraseFromParent();
    // The original loop now rarely runs: do not vectorise or unroll it.
    if (llvm::findStringMetadataForLoop(&loop, NarrowedLoop))
      for (const char *fact : {"llvm.loop.isvectorized", "llvm.loop.unroll.disable"})
        llvm::addStringMetadataToLoop(&loop, fact, 1);
    for (const Fact &fact : facts) known_.push_back({copy_of(fact.comparison), fact.holds});
    tree_.recalculate(function_);
    evolution_.forgetTopmostLoop(&loop);
    evolution_.forgetBlockAndLoopDispositions();
  }

  llvm::LoopInfo &loops_;
  llvm::DominatorTree &tree_;
  llvm::ScalarEvolution &evolution_;
  llvm::AssumptionCache &assumptions_;
  llvm::Function &function_;
  llvm::SmallVector<std::pair<llvm::WeakVH, bool>, 8>
      known_; ///< comparisons in copies, and their values; null once simplifying another deleted one
  bool changed_ = false;
};

} // namespace

llvm::PreservedAnalyses VersionGuardsPass::run(llvm::Function &function,
                                               llvm::FunctionAnalysisManager &analyses) {
  return GuardVersioning(function, analyses).run() ? llvm::PreservedAnalyses::none()
                                                   : llvm::PreservedAnalyses::all();
}

} // namespace kiln
