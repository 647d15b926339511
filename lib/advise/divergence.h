// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

namespace kiln {

/// A special register of NVPTX that a call reads ("tid.x"); empty: none.
llvm::StringRef special_register(const llvm::Value &value);

/// Which values of a function differ between threads that have neighbouring numbers in x. Others that differ
/// only in y or z count as the same, since a warp of a block at least 32 wide has one y and z. What is not
/// known to be the same may differ.
class Divergence {
public:
  Divergence(const llvm::Function &function, const llvm::DominatorTree &tree, const llvm::LoopInfo &loops);

  bool differs(const llvm::Value &value) const { return differing_.contains(&value); }
  /// Do neighbours leave the loop in the same iteration?
  bool leaves_together(const llvm::Loop &loop) const;
  /// The same value in all neighbours at `user`, also where a loop lies between.
  bool is_uniform_at(const llvm::Value &value, const llvm::BasicBlock &user) const;

private:
  void find();
  bool may_differ(const llvm::Instruction &instruction) const;
  void join_behind(const llvm::Instruction &branch);

  const llvm::Function &function_;
  const llvm::DominatorTree &tree_;
  const llvm::LoopInfo &loops_;
  llvm::DenseSet<const llvm::Value *> differing_;  // never iterated, as below
  llvm::DenseSet<const llvm::BasicBlock *> joins_; ///< that neighbours may reach from different blocks
  llvm::DenseSet<const llvm::Instruction *> known_branches_;
};

} // namespace kiln
