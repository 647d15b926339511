// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop that runs one region for every live thread of the block. The inner loop runs over x, and an outer
// loop over rows. If threads may throw, there are two more outer loops: over runs of live threads between
// ended threads, and over pieces of a run. A piece consists of full rows or of one partial row. All its rows
// have the same bounds, which are computed once, so that the inner loops need no tests.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <memory>

namespace kiln::native {

/// Maximum number of threads of a block, as in runtime/host/executor.h.
inline constexpr uint64_t max_block_threads = 1024;

/// Values that describe the block, as i32 in the kernel's entry block.
struct BlockFacts {
  llvm::Value *width, *height;
  llvm::Value *rows, *count; ///< number of rows, and of threads, of the block
  llvm::Value *count64;
  // Set only if threads may throw:
  llvm::Value *ended = nullptr; ///< address of an i32: number of ended threads; null: no thread throws
  /// Address of one byte per thread; the bytes are undefined until a thread has ended.
  llvm::Value *ended_flags = nullptr;
};

/// Emits loads of the block's shape from the state.
BlockFacts read_block_facts(llvm::IRBuilder<> &ir, llvm::Value *state);

class ThreadLoop {
public:
  /// Appends the loop's blocks to `kernel`. `returned`: target if all threads have ended early.
  ThreadLoop(llvm::Function &kernel, const BlockFacts &facts, llvm::BasicBlock *returned, const char *name);

  llvm::BasicBlock *begin;           ///< runs once before the loop; ends in a branch to the loop
  llvm::BasicBlock *head;            ///< start of each thread; its terminator is still missing
  llvm::BasicBlock *latch;           ///< target of a thread that reaches the end of the region
  llvm::BasicBlock *threw = nullptr; ///< target of a thread that throws; null: no thread throws
  llvm::BasicBlock *end;             ///< runs once after the loop; its terminator is still missing
  llvm::Value *x, *y, *z;            ///< thread index, i32
  llvm::Value *linear;               ///< i64

  // Members for narrowing. At the end of block `row`, the row's threads are those with x in [first, limit).
  llvm::BasicBlock *row;
  llvm::PHINode *counter; ///< x
  llvm::Value *first, *limit;
  /// Limits a row to the threads [new_first, new_limit). `runs`: condition under which the row runs; null: it
  /// always runs.
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
