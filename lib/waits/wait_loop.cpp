// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wait_loop.h"

#include "idle_turns.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace kiln::waits {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;

/// True if the loop ends after a limited number of iterations without the help of other threads.
bool is_bounded(llvm::Loop &loop, FunctionLoops &loops) {
  llvm::Function &function = *loop.getHeader()->getParent();
  const llvm::TargetLibraryInfoImpl library(llvm::Triple(function.getParent()->getTargetTriple()));
  llvm::TargetLibraryInfo names(library);
  llvm::AssumptionCache assumptions(function);
  llvm::ScalarEvolution evolution(function, names, assumptions, loops.tree, loops.info);
  return !llvm::isa<llvm::SCEVCouldNotCompute>(evolution.getSymbolicMaxBackedgeTakenCount(&loop));
}

unsigned inlined_depth(const llvm::DILocation *location) {
  unsigned frames = 0;
  for (; location; location = location->getInlinedAt()) ++frames;
  return frames;
}

/// Finds calls of synchronising functions in loops that may wait for the functions' results.
std::vector<llvm::CallInst *> calls_in_waits(llvm::Function &function, const FunctionEffects &effects,
                                             llvm::function_ref<bool(const llvm::Function &)> is_recursive) {
  FunctionLoops loops(function);
  std::vector<llvm::CallInst *> found;
  std::set<const Instruction *> seen; // never iterated
  for (llvm::Loop *loop : loops.info.getLoopsInPreorder()) {
    std::vector<llvm::CallInst *> calls;
    for (BasicBlock *block : loop->blocks())
      for (Instruction &instruction : *block)
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
          llvm::Function *callee = call->getCalledFunction();
          if (callee && !callee->isDeclaration() && effects.get(*call).synchronises && !is_recursive(*callee))
            calls.push_back(call);
        }
    if (calls.empty() || WaitLoop(*loop, loops, effects).waits() != WaitsBy::AnyTurn) continue;
    for (llvm::CallInst *call : calls)
      if (seen.insert(call).second) found.push_back(call);
  }
  return found;
}

} // namespace

std::set<const BasicBlock *> returning_blocks(const llvm::Function &function) {
  std::set<const BasicBlock *> found; // never iterated
  std::vector<const BasicBlock *> pending;
  auto add = [&](const BasicBlock *block) {
    if (found.insert(block).second) pending.push_back(block);
  };
  for (const BasicBlock &block : function)
    if (llvm::isa<llvm::ReturnInst>(block.getTerminator())) add(&block);
  while (!pending.empty()) {
    const BasicBlock *block = pending.back();
    pending.pop_back();
    for (const BasicBlock *before : llvm::predecessors(block)) add(before);
  }
  return found;
}

const Instruction &loop_place(const BasicBlock &header) {
  const Instruction *place = nullptr;
  // Prefer instructions other than phis: a phi has the location of code before the loop.
  for (const bool is_phi : {false, true})
    for (const Instruction &instruction : header)
      if (const llvm::DebugLoc &here = instruction.getDebugLoc();
          here && llvm::isa<llvm::PHINode>(instruction) == is_phi &&
          (!place || (!is_phi && inlined_depth(here) < inlined_depth(place->getDebugLoc()))))
        place = &instruction;
  return place ? *place : header.front();
}

WaitLoop::WaitLoop(llvm::Loop &loop, FunctionLoops &loops, const FunctionEffects &effects)
    : loop_(loop), loops_(loops), effects_(effects) {
  Effects all;
  for (BasicBlock *block : loop_.blocks())
    for (const Instruction &instruction : *block) all |= effects_.get(instruction);
  if (!all.reads) return;
  slice_.emplace(loop_, effects_, loops_.returning);
  if (slice_->reads_synchronised() || (slice_->reads_memory() && all.synchronises &&
                                       !has_barrier_each_turn() && !is_bounded(loop_, loops_))) {
    waits_ = WaitsBy::AnyTurn;
    loop_.getLoopLatches(latches_);
  } else if (slice_->reads_memory()) {
    latches_ = IdleTurns(loop_, *slice_, effects_, IdleWrites::FailedSwaps).latches();
    waits_ = latches_.empty() ? WaitsBy::Nothing : WaitsBy::IdleTurns;
  }
}

bool WaitLoop::may_be_idle() const {
  return waits_ != WaitsBy::Nothing &&
         !IdleTurns(loop_, *slice_, effects_, IdleWrites::Ineffective).latches().empty();
}

bool WaitLoop::has_barrier_each_turn() const {
  llvm::SmallVector<BasicBlock *, 4> latches;
  loop_.getLoopLatches(latches);
  for (BasicBlock *block : loop_.blocks())
    if (llvm::all_of(latches, [&](BasicBlock *latch) { return loops_.tree.dominates(block, latch); }) &&
        llvm::any_of(*block, is_barrier))
      return true;
  return false;
}

void inline_calls_in_waits(llvm::Function &function, const FunctionEffects &effects,
                           llvm::function_ref<bool(const llvm::Function &)> is_recursive) {
  constexpr unsigned max_rounds = 64; // depth of calls
  for (unsigned round = 0; round < max_rounds; ++round) {
    const std::vector<llvm::CallInst *> calls = calls_in_waits(function, effects, is_recursive);
    bool changed = false;
    for (llvm::CallInst *call : calls) {
      llvm::InlineFunctionInfo info;
      changed |= llvm::InlineFunction(*call, info).isSuccess();
    }
    if (!changed) return;
  }
}

} // namespace kiln::waits
