// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Backward slice of a loop's exits: the instructions that decide, through data, control and memory, whether
// the loop ends.
#pragma once

#include "memory_effects.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include <set>

namespace kiln::waits {

/// Slice of one loop. Cost: linear in the loop for each block whose execution decides over an exit, usually
/// one or two blocks.
class ExitSlice {
public:
  /// `returning`: blocks with a path to a return, from returning_blocks(). Exits that lead only to an
  /// exception are ignored.
  ExitSlice(const llvm::Loop &loop, const FunctionEffects &effects,
            const std::set<const llvm::BasicBlock *> &returning);

  /// True if an exit depends on atomic or volatile reads. Reads of lock-free updates do not count.
  bool reads_synchronised() const { return reads_synchronised_; }
  /// An exit depends on memory that another thread may write.
  bool reads_memory() const { return reads_memory_; }
  bool reads_clock() const { return reads_clock_; }
  bool contains(const llvm::Instruction &instruction) const { return slice_.count(&instruction); }
  bool contains(const llvm::AllocaInst &variable) const { return variables_.count(&variable); }

private:
  using BasicBlock = llvm::BasicBlock;
  using Instruction = llvm::Instruction;
  using Value = llvm::Value;
  using Blocks = llvm::DenseSet<const BasicBlock *>; // never iterated

  void collect_writes();
  void find_lock_free_updates();
  bool is_lock_free(const llvm::AtomicCmpXchgInst &swap) const;
  bool is_counter(const llvm::AtomicRMWInst &update) const;
  void add(const Value *value);
  void add_branch(const BasicBlock &block);
  void add_control(const BasicBlock &block);
  void add_edge(const BasicBlock &from);
  void visit(const Instruction &instruction);
  void visit_phi(const llvm::PHINode &phi);
  void visit_load(const llvm::LoadInst &load);
  void visit_call(const llvm::CallBase &call);
  bool visit_success_test(const llvm::CmpInst &test);
  void add_writes_of(const Value *object);
  void note(const Effects &effects);
  unsigned live_successors(const BasicBlock &block) const;
  bool is_live(const BasicBlock &block) const { return all_live_ || returning_.count(&block); }
  bool stays(const BasicBlock &block) const { return loop_.contains(&block) && &block != loop_.getHeader(); }

  const llvm::Loop &loop_;
  const FunctionEffects &effects_;
  const std::set<const BasicBlock *> &returning_; ///< never iterated
  const bool all_live_; ///< all blocks count as live, since the loop leads only to exceptions
  llvm::DenseSet<const Instruction *> slice_, lock_free_; ///< never iterated
  llvm::DenseSet<const llvm::AllocaInst *> variables_;    ///< likewise
  Blocks branches_, controlled_;
  llvm::DenseSet<const Value *> written_; ///< objects whose writes are already in the slice
  /// Writes of the loop by the object that they change.
  llvm::MapVector<const Value *, std::vector<const Instruction *>> writes_;
  std::vector<const Instruction *> pending_;
  bool reads_synchronised_ = false, reads_memory_ = false, reads_clock_ = false;
};

} // namespace kiln::waits
