// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Idle iterations of a loop: they change no memory and no value on which the loop's exits depend.
#pragma once

#include "exit_slice.h"

#include <llvm/IR/Instructions.h>

#include <set>

namespace kiln::waits {

/// True for a call of a barrier of the block or the grid.
bool is_barrier(const llvm::Instruction &instruction);

/// Writes that an idle iteration may contain. FailedSwaps: only compare-and-swaps that may fail each time.
/// Ineffective: all writes that change nothing on which the exits depend. These are writes to other objects,
/// writes that may store what is there already, and additions that the loop takes back.
enum class IdleWrites { FailedSwaps, Ineffective };

/// Searches the paths of an iteration without work. Cost: linear in the loop for each latch, and for each
/// read on which an exit depends.
class IdleTurns {
public:
  IdleTurns(const llvm::Loop &loop, const ExitSlice &slice, const FunctionEffects &effects,
            IdleWrites writes);

  /// Latches of iterations that may be idle.
  const llvm::SmallVector<llvm::BasicBlock *, 4> &latches() const { return latches_; }

private:
  bool is_work(const llvm::Instruction &instruction) const;
  void find_exit_reads();
  void add_read_of(const llvm::Instruction &instruction);
  bool reads_from_outside(const llvm::Instruction &instruction) const;
  bool comes_from_outside(const llvm::Value *value, unsigned depth) const;
  bool asks_other_blocks() const;
  bool may_stay(const llvm::PHINode &phi, llvm::BasicBlock &latch) const;
  bool is_effective(const llvm::Instruction &instruction) const;
  bool is_read_by_exits(const llvm::Value *pointer) const;
  bool may_repeat(const llvm::Instruction &instruction) const;
  bool is_taken_back(const llvm::AtomicRMWInst &update) const;
  bool may_be(const llvm::Value *value, const llvm::PHINode &phi, std::set<const llvm::Value *> &seen) const;
  bool begins_with(const llvm::PHINode &phi, const llvm::Constant &constant) const;
  bool depends_on_read_alone(const llvm::Instruction &instruction, unsigned depth) const;

  const llvm::Loop &loop_;
  const ExitSlice &slice_;
  const FunctionEffects &effects_;
  const IdleWrites writes_;
  llvm::SmallVector<llvm::BasicBlock *, 4> latches_;
  std::set<const llvm::BasicBlock *> idle_blocks_; ///< never iterated
  std::set<const llvm::Value *> exit_reads_;       ///< objects on which the exits depend; never iterated
  bool reads_unknown_ = false;                     ///< the exits depend on further objects
  bool asks_other_blocks_ = false;          ///< asks_other_blocks(), so that a barrier does not end the wait
  std::set<const llvm::Value *> addresses_; ///< values from which swaps' addresses come; never iterated
};

} // namespace kiln::waits
