// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop by strides looks like (stride_loops.h): `if (g) do ... while (c)`, in which an index starts at
// a value that grows with the thread and takes the same step in all threads.
#pragma once

#include "across_block.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace kiln::native {

/// A phi that starts with a value for each thread, and grows in each turn by one that is the same for all.
struct Growing {
  llvm::PHINode *phi;
  llvm::Value *start;
  llvm::BinaryOperator *next; ///< phi + step or phi - step
  llvm::Value *step;
};

/// A branch that each turn takes out of the loop where a thread throws.
struct TurnCheck {
  llvm::BranchInst *branch;
  unsigned stays; ///< the successor within the loop
};

/// What is added to the phi or subtracted from it, if that is how `value` comes about.
llvm::Value *step_of(const llvm::PHINode &phi, llvm::Value *value);

class StrideShape {
public:
  StrideShape(llvm::Function &kernel, llvm::Loop &loop, const Uniformity &uniformity,
              const llvm::DominatorTree &tree)
      : kernel_(kernel), loop_(loop), uniformity_(uniformity), tree_(tree), across_(kernel, uniformity) {}

  /// Whether it is one, and its parts. Changes nothing.
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
                   *other_ = nullptr;       ///< where it is decided, and where threads without a turn go
  std::vector<llvm::BasicBlock *> between_; ///< the guard and the loop
  llvm::Value *has_turn_ = nullptr;
  std::vector<TurnCheck> checks_; ///< those that can be decided in front of a turn, for all threads together
  bool may_throw_ = false;        ///< others are left in the turn

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
