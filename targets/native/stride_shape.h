// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognises stride loops (stride_loops.h): `if (g) do ... while (c)`, with an index that starts at a value
// that grows with the thread and takes the same step in all threads.
#pragma once

#include "across_block.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace kiln::native {

/// A phi with a different start value in each thread, which changes by a uniform step in each iteration.
struct Growing {
  llvm::PHINode *phi;
  llvm::Value *start;
  llvm::BinaryOperator *next; ///< phi + step or phi - step
  llvm::Value *step;
};

/// A check: a branch in each iteration that leaves the loop if the thread throws.
struct TurnCheck {
  llvm::BranchInst *branch;
  unsigned stays; ///< index of the successor that stays in the loop
};

/// Returns the step if `value` is the phi plus or minus a step; else null.
llvm::Value *step_of(const llvm::PHINode &phi, llvm::Value *value);

class StrideShape {
public:
  StrideShape(llvm::Function &kernel, llvm::Loop &loop, const Uniformity &uniformity,
              const llvm::DominatorTree &tree)
      : kernel_(kernel), loop_(loop), uniformity_(uniformity), tree_(tree), across_(kernel, uniformity) {}

  /// Finds the parts of the loop and sets the members. Returns false if this is no stride loop. Does not
  /// change the kernel.
  bool find();

protected:
  bool is_growing(const llvm::PHINode &phi) const;
  llvm::Value *stay_condition() const { return end_->getCondition(); }

  llvm::Function &kernel_;
  llvm::Loop &loop_;
  const Uniformity &uniformity_;
  const llvm::DominatorTree &tree_;
  AcrossBlock across_;
  llvm::BasicBlock *header_ = nullptr, *latch_ = nullptr, *before_ = nullptr, *exit_ = nullptr;
  llvm::BranchInst *end_ = nullptr;
  bool stays_if_ = true, turn_if_ = true;
  std::vector<Growing> growing_;
  llvm::BasicBlock *guard_ = nullptr,
                   *other_ = nullptr;       ///< other_: target of threads without an iteration
  std::vector<llvm::BasicBlock *> between_; ///< blocks between the guard and the loop
  llvm::Value *has_turn_ = nullptr;
  std::vector<TurnCheck> checks_; ///< checks whose result for all threads is known before an iteration
  bool may_throw_ = false;        ///< the iteration contains other checks, too

private:
  bool has_shape();
  bool find_growing();
  bool is_uniform(const llvm::Value *value) const;
  bool find_guard();
  bool reads_side_by_side();
  void find_checks();
  bool is_known_before(const llvm::Value *value, unsigned depth = 0) const;
  bool can_repeat(const llvm::Value *value, unsigned depth = 0) const;
};

} // namespace kiln::native
