// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop that runs one region for every thread of the block which has not ended. x is the inner loop, rows
// of the block are around it. Where threads may throw, two more are around these: one over the runs of
// threads between those that have ended, and one over pieces of such a run: rows that are there as a whole,
// or a part of one. So where a row begins and ends is the same for all rows of a piece, what follows from it
// is computed once, and the inner loops test nothing.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <memory>

namespace kiln::native {

/// Of a block, as runtime/host/executor.h has it.
inline constexpr uint64_t max_block_threads = 1024;

/// Of the whole kernel, i32.
struct BlockFacts {
  llvm::Value *width, *height;
  llvm::Value *rows, *count; ///< of the block: rows, threads
  llvm::Value *count64;
  // Where threads may throw, else null:
  llvm::Value *ended = nullptr;       ///< address of an i32: how many have ended
  llvm::Value *ended_flags = nullptr; ///< address of a byte each thread; meaningless while none has ended
};

/// Reads the block's shape from the state.
BlockFacts read_block_facts(llvm::IRBuilder<> &ir, llvm::Value *state);

class ThreadLoop {
public:
  /// Makes blocks at the end of `kernel`; `returned` is where the kernel goes when its last thread has ended
  /// early.
  ThreadLoop(llvm::Function &kernel, const BlockFacts &facts, llvm::BasicBlock *returned, const char *name);

  llvm::BasicBlock *begin;           ///< runs once; ends in a branch to the loop
  llvm::BasicBlock *head;            ///< runs for every thread first; has no end yet
  llvm::BasicBlock *latch;           ///< a thread goes here to end the region
  llvm::BasicBlock *threw = nullptr; ///< a thread goes here to end itself, where threads may throw
  llvm::BasicBlock *end;             ///< behind the loop, once; has no end yet
  llvm::Value *x, *y, *z;            ///< the thread's index, i32
  llvm::Value *linear;               ///< i64

  // For narrowing: in `row` before its end, the threads of the row are those with x in [first, limit).
  llvm::BasicBlock *row;
  llvm::PHINode *counter; ///< x
  llvm::Value *first, *limit;
  /// `runs`: whether this row does, if not null.
  void narrow(llvm::Value *new_first, llvm::Value *new_limit, llvm::Value *runs);

private:
  struct Run;
  struct Piece;
  Run begin_run(const BlockFacts &facts);
  Piece begin_piece(const BlockFacts &facts, const Run &run);
  void end_piece(const BlockFacts &facts, const Run &run, const Piece &piece, llvm::Value *next_at,
                 llvm::Value *next_y, llvm::Value *next_z, llvm::BasicBlock *returned);
  void mark_whole(llvm::BranchInst &back);
  llvm::BasicBlock *block(const llvm::Twine &name);
  llvm::PHINode *phi(const char *name, llvm::Value *value, llvm::BasicBlock *from);

  llvm::Function &kernel_;
  std::unique_ptr<llvm::IRBuilder<>> builder_;
  llvm::IRBuilder<> &ir_;
  const char *name_;
  llvm::Instruction *row_test_ = nullptr, *latch_test_ = nullptr;
};

} // namespace kiln::native
