// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that may wait for another thread's write: a lock, a flag, a token.
//
// A loop may wait if its exits depend on memory that other threads write (exit_slice.h):
// - The loop reads that memory by atomic or volatile accesses, directly or in functions that it calls.
// - The loop reads that memory by plain loads, synchronises by other means (a fence, an atomic update), and
//   need not end by itself.
// - The loop reads that memory by plain loads alone, and an iteration may be idle.
// An iteration is idle if it changes no memory and no value on which the exits depend. The next iteration is
// then the same unless another thread writes.
#pragma once

#include "exit_slice.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Dominators.h>

#include <optional>

namespace kiln::waits {

/// Returns the blocks that have a path to a return.
std::set<const llvm::BasicBlock *> returning_blocks(const llvm::Function &function);
/// Instruction of a loop's header with the source location of the loop. Locations of functions called in the
/// loop's condition are not used.
const llvm::Instruction &loop_place(const llvm::BasicBlock &header);

/// Dominator tree and loops of a function. They become invalid when the function changes.
struct FunctionLoops {
  explicit FunctionLoops(llvm::Function &function)
      : tree(function), info(tree), returning(returning_blocks(function)) {}
  llvm::DominatorTree tree;
  llvm::LoopInfo info;
  std::set<const llvm::BasicBlock *> returning; ///< never iterated
};

/// Iterations after which the thread may have to wait: none; idle ones, in a loop with plain loads alone;
/// any, in a loop that synchronises.
enum class WaitsBy { Nothing, IdleTurns, AnyTurn };

/// Classification of one loop. It becomes invalid when the function changes.
class WaitLoop {
public:
  WaitLoop(llvm::Loop &loop, FunctionLoops &loops, const FunctionEffects &effects);

  WaitsBy waits() const { return waits_; }
  const ExitSlice &slice() const { return *slice_; }
  /// Latches of the iterations of waits().
  const llvm::SmallVector<llvm::BasicBlock *, 4> &latches() const { return latches_; }
  /// True if an iteration may be idle. Unlike for the latches of WaitsBy::IdleTurns, whose writes are
  /// compared at run time, an idle iteration may write to objects on which no exit depends. It may also
  /// repeat a write, such as an exchange with a constant, or take an addition back. A barrier of the block is
  /// no idle iteration, unless the exits ask memory that no thread of the block writes in the loop.
  bool may_be_idle() const;

private:
  bool has_barrier_each_turn() const;

  llvm::Loop &loop_;
  FunctionLoops &loops_;
  const FunctionEffects &effects_;
  std::optional<ExitSlice> slice_;
  WaitsBy waits_ = WaitsBy::Nothing;
  llvm::SmallVector<llvm::BasicBlock *, 4> latches_;
};

/// Inlines calls of synchronising functions in loops that may wait for the functions' results. Afterwards
/// each of their accesses is visible in the loop. `is_recursive`: true for functions that cannot be inlined.
void inline_calls_in_waits(llvm::Function &function, const FunctionEffects &effects,
                           llvm::function_ref<bool(const llvm::Function &)> is_recursive);

} // namespace kiln::waits
