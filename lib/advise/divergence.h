// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

namespace kiln {

/// Returns the NVPTX special register that a call reads, such as "tid.x". Empty if `value` is not such a
/// call.
llvm::StringRef special_register(const llvm::Value &value);

/// Divergence analysis: finds the values of a function that differ between threads whose threadIdx().x are
/// neighbours. Differences in y and z are ignored, since a warp has only one y and z if its block is at least
/// 32 wide. A value that is not known to be uniform counts as differing.
class Divergence {
public:
  Divergence(const llvm::Function &function, const llvm::DominatorTree &tree, const llvm::LoopInfo &loops);

  bool differs(const llvm::Value &value) const { return differing_.contains(&value); }
  /// Returns true if neighbouring threads always leave the loop in the same iteration.
  bool leaves_together(const llvm::Loop &loop) const;
  /// Returns true if `value` is the same in neighbouring threads when block `user` uses it. Threads that
  /// leave a loop in different iterations see different values of it after the loop.
  bool is_uniform_at(const llvm::Value &value, const llvm::BasicBlock &user) const;

private:
  void find();
  bool may_differ(const llvm::Instruction &instruction) const;
  void join_after(const llvm::Instruction &branch);

  const llvm::Function &function_;
  const llvm::DominatorTree &tree_;
  const llvm::LoopInfo &loops_;
  llvm::DenseSet<const llvm::Value *> differing_; // never iterated, as below
  /// Blocks that neighbouring threads may reach from different predecessors.
  llvm::DenseSet<const llvm::BasicBlock *> joins_;
  llvm::DenseSet<const llvm::Instruction *> known_branches_;
};

} // namespace kiln
