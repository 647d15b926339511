// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds loops that may wait for another thread's write: a lock, a flag, a token. The threads of a block share
// one host thread, so that such a loop must suspend regularly (abi::WaitKind::Spin). The kernel becomes a
// coroutine.
//
// A loop may wait if its exits depend on memory that other threads write (exit_slice.h):
// - The loop reads that memory by atomic or volatile accesses, directly or in functions that it calls. It
//   suspends after each idle iteration, and after every 256th other iteration.
// - The loop reads that memory by plain loads, synchronises by other means (a fence, an atomic update), and
//   need not end by itself. It suspends in the same way.
// - The loop reads that memory by plain loads alone, and an iteration may be idle. It suspends after each
// idle
//   iteration.
// An iteration is idle if it changes no memory and no value on which the exits depend. The next iteration is
// then the same unless another thread writes. The `value` of an idle suspension is the number of consecutive
// idle iterations; of other suspensions, 0.
#include "spin_waits.h"

#include "exit_slice.h"
#include "instrument.h"
#include "passes.h"
#include "uniformity.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <optional>

namespace kiln::native {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

/// Dominator tree and loops of a function. They become invalid when the function changes.
struct FunctionLoops {
  explicit FunctionLoops(llvm::Function &function)
      : tree(function), info(tree), returning(returning_blocks(function)) {}
  llvm::DominatorTree tree;
  llvm::LoopInfo info;
  std::set<const BasicBlock *> returning; // never iterated
};

bool is_barrier(const Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->isDeclaration()) return false;
  const llvm::StringRef name = callee->getName();
  return name == "kiln.barrier" || name == "kiln.wait.barrier" || name == "kiln.wait.grid";
}

/// True if the loop ends after a limited number of iterations without the help of other threads.
bool is_bounded(llvm::Loop &loop, FunctionLoops &loops) {
  llvm::Function &function = *loop.getHeader()->getParent();
  const llvm::TargetLibraryInfoImpl library(llvm::Triple(function.getParent()->getTargetTriple()));
  llvm::TargetLibraryInfo names(library);
  llvm::AssumptionCache assumptions(function);
  llvm::ScalarEvolution evolution(function, names, assumptions, loops.tree, loops.info);
  return !llvm::isa<llvm::SCEVCouldNotCompute>(evolution.getSymbolicMaxBackedgeTakenCount(&loop));
}

enum class WaitsBy { Nothing, IdleTurns, AnyTurn };

class WaitLoop {
public:
  WaitLoop(llvm::Loop &loop, FunctionLoops &loops, const FunctionEffects &effects)
      : loop_(loop), loops_(loops), effects_(effects) {
    Effects all;
    for (BasicBlock *block : loop_.blocks())
      for (const Instruction &instruction : *block) all |= effects_.get(instruction);
    if (!all.reads) return;
    slice_.emplace(loop_, effects_, loops_.returning);
    if (slice_->reads_synchronised())
      waits_ = WaitsBy::AnyTurn;
    else if (slice_->reads_memory())
      waits_ = all.synchronises && !has_barrier_each_turn() && !is_bounded(loop_, loops_) ? WaitsBy::AnyTurn
               : find_idle_latches()                                                      ? WaitsBy::IdleTurns
                                                                                          : WaitsBy::Nothing;
    if (waits_ == WaitsBy::AnyTurn) latches_.clear(), loop_.getLoopLatches(latches_);
  }

  WaitsBy waits() const { return waits_; }
  const ExitSlice &slice() const { return *slice_; }
  const llvm::SmallVector<BasicBlock *, 4> &latches() const { return latches_; }

private:
  bool has_barrier_each_turn() const {
    llvm::SmallVector<BasicBlock *, 4> latches;
    loop_.getLoopLatches(latches);
    for (BasicBlock *block : loop_.blocks())
      if (llvm::all_of(latches, [&](BasicBlock *latch) { return loops_.tree.dominates(block, latch); }) &&
          llvm::any_of(*block, is_barrier))
        return true;
    return false;
  }

  /// True if an instruction makes an iteration non-idle. False for calls that only read, and for updates that
  /// write back the value that they read.
  bool is_work(const Instruction &instruction) const {
    if (is_barrier(instruction)) return true; // a barrier suspends by itself
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      if (const llvm::AllocaInst *variable = local_variable(*store->getPointerOperand()))
        return slice_->contains(*variable);
    if (auto *swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      return !loop_.isLoopInvariant(swap->getCompareOperand());
    return effects_.get(instruction).writes;
  }

  /// Finds the latches of iterations that may be idle: they do no work and leave the values unchanged on
  /// which the exits depend.
  bool find_idle_latches() {
    std::vector<BasicBlock *> pending{loop_.getHeader()};
    std::set<const BasicBlock *> seen{loop_.getHeader()}; // never iterated
    while (!pending.empty()) {
      BasicBlock *block = pending.back();
      pending.pop_back();
      if (llvm::any_of(*block, [&](const Instruction &each) { return is_work(each); })) continue;
      idle_blocks_.insert(block);
      for (BasicBlock *next : llvm::successors(block))
        if (loop_.contains(next) && seen.insert(next).second) pending.push_back(next);
    }
    for (BasicBlock *latch : llvm::predecessors(loop_.getHeader())) {
      if (!loop_.contains(latch) || !idle_blocks_.count(latch) || llvm::is_contained(latches_, latch))
        continue;
      const bool may_stay = llvm::all_of(loop_.getHeader()->phis(), [&](PHINode &phi) {
        std::set<const Value *> values; // never iterated
        return !slice_->contains(phi) ||
               ((phi.getType()->isIntOrPtrTy() || phi.getType()->isFloatingPointTy()) &&
                may_be(phi.getIncomingValueForBlock(latch), phi, values));
      });
      if (may_stay) latches_.push_back(latch);
    }
    return !latches_.empty();
  }
  bool may_be(const Value *value, const PHINode &phi, std::set<const Value *> &seen) const {
    if (value == &phi) return true;
    if (llvm::isa<llvm::UndefValue>(value) || !seen.insert(value).second) return false;
    // a constant leaves the phi unchanged if it is also the phi's initial value
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(value))
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
    // A loaded value is the same in the next iteration unless another thread wrote.
    auto *instruction = llvm::dyn_cast<Instruction>(value);
    return instruction && loop_.contains(instruction) && depends_on_read_alone(*instruction, 0);
  }
  bool begins_with(const PHINode &phi, const llvm::Constant &constant) const {
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      if (!loop_.contains(phi.getIncomingBlock(i)) && phi.getIncomingValue(i) == &constant) return true;
    return false;
  }
  /// True if the value depends on no phi, so that only memory can change it between iterations.
  bool depends_on_read_alone(const Instruction &instruction, unsigned depth) const {
    if (depth > 6 || llvm::isa<PHINode>(instruction)) return false;
    return llvm::all_of(instruction.operands(), [&](const llvm::Use &use) {
      auto *operand = llvm::dyn_cast<Instruction>(use);
      return !operand || !loop_.contains(operand) || depends_on_read_alone(*operand, depth + 1);
    });
  }

  llvm::Loop &loop_;
  FunctionLoops &loops_;
  const FunctionEffects &effects_;
  std::optional<ExitSlice> slice_;
  WaitsBy waits_ = WaitsBy::Nothing;
  llvm::SmallVector<BasicBlock *, 4> latches_;
  std::set<const BasicBlock *> idle_blocks_; ///< never iterated
};

/// Finds calls of synchronising functions in loops that may wait for the functions' results. Inlining these
/// calls shows each of their accesses.
std::vector<llvm::CallInst *> calls_in_waits(llvm::Function &function, const FunctionEffects &effects) {
  FunctionLoops loops(function);
  std::vector<llvm::CallInst *> found;
  std::set<const Instruction *> seen; // never iterated
  for (llvm::Loop *loop : loops.info.getLoopsInPreorder()) {
    std::vector<llvm::CallInst *> calls;
    for (BasicBlock *block : loop->blocks())
      for (Instruction &instruction : *block)
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
          llvm::Function *callee = call->getCalledFunction();
          if (callee && !callee->isDeclaration() && effects.get(*call).synchronises && !calls_itself(*callee))
            calls.push_back(call);
        }
    if (calls.empty() || WaitLoop(*loop, loops, effects).waits() != WaitsBy::AnyTurn) continue;
    for (llvm::CallInst *call : calls)
      if (seen.insert(call).second) found.push_back(call);
  }
  return found;
}

void inline_calls_in_waits(llvm::Function &function, const FunctionEffects &effects) {
  constexpr unsigned max_rounds = 64; // depth of calls
  for (unsigned round = 0; round < max_rounds; ++round) {
    const std::vector<llvm::CallInst *> calls = calls_in_waits(function, effects);
    bool changed = false;
    for (llvm::CallInst *call : calls) {
      llvm::InlineFunctionInfo info;
      changed |= llvm::InlineFunction(*call, info).isSuccess();
    }
    if (!changed) return;
  }
}

} // namespace

void add_spin_waits(llvm::Module &module) {
  const FunctionEffects effects(module);
  std::vector<llvm::Function *> functions;
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && !is_reporter(function) && !calls_itself(function))
      functions.push_back(&function);
  for (llvm::Function *function : functions) inline_calls_in_waits(*function, effects);
  for (llvm::Function *function : functions) {
    // Handle outer loops first: inner loops continue the outer loop's count of idle iterations. Suspensions
    // split blocks, so that loops are analysed again after each change.
    std::set<const BasicBlock *> seen; // never iterated
    SpinVariables variables;
    for (bool found = true; found;) {
      found = false;
      FunctionLoops loops(*function);
      for (llvm::Loop *loop : loops.info.getLoopsInPreorder()) {
        if (!seen.insert(loop->getHeader()).second) continue;
        const WaitLoop wait(*loop, loops, effects);
        if (wait.waits() == WaitsBy::Nothing) continue;
        add_suspensions(*loop, wait.slice(), effects, wait.latches(), wait.waits() == WaitsBy::AnyTurn,
                        variables);
        found = true;
        break;
      }
    }
  }
}

} // namespace kiln::native
