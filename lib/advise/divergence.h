// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

namespace kiln {

/// Special register of NVPTX that a call reads ("tid.x"); empty: none.
llvm::StringRef special_register(const llvm::Value &value);

/// Values of a function that differ between neighbouring threads in x. Differences in y and z only are
/// ignored: a warp of a block at least 32 wide has a single y and z. Values not known to be uniform count as
/// differing.
class Divergence {
public:
  Divergence(const llvm::Function &function, const llvm::DominatorTree &tree, const llvm::LoopInfo &loops);

  bool differs(const llvm::Value &value) const { return differing_.contains(&value); }
  /// True if neighbouring threads leave the loop in the same iteration.
  bool leaves_together(const llvm::Loop &loop) const;
  /// True if the value is uniform at `user`, even with a loop between.
  bool is_uniform_at(const llvm::Value &value, const llvm::BasicBlock &user) const;

private:
  void find();
  bool may_differ(const llvm::Instruction &instruction) const;
  void join_after(const llvm::Instruction &branch);

  const llvm::Function &function_;
  const llvm::DominatorTree &tree_;
  const llvm::LoopInfo &loops_;
  llvm::DenseSet<const llvm::Value *> differing_;  // never iterated, as below
  llvm::DenseSet<const llvm::BasicBlock *> joins_; ///< reached by neighbours from different blocks
  llvm::DenseSet<const llvm::Instruction *> known_branches_;
};

} // namespace kiln
