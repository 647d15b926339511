// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

namespace kiln {

/// An expression's values in a loop's first and last iteration, as 64-bit signed integers. If the emitted
/// checks hold, the expression is linear between the two and never wraps.
struct Ends {
  llvm::Value *first, *last;
};

/// Emits code before a loop that computes the values of the loop's integers in its first and last iteration.
/// Also emits the checks under which these values are exact. A value that is poison in the loop becomes an
/// arbitrary value here, so that the checks are never poison.
class LinearEnds {
public:
  /// The loop runs iterations 0 to `trips`, inclusive. Code is emitted before `point`. `trips` must be
  /// loop-invariant, and safe to expand there.
  LinearEnds(llvm::ScalarEvolution &evolution, llvm::Loop &loop, const llvm::SCEV *trips,
             llvm::Instruction &point);

  /// True if ends() can compute the expression's values. Emits no code.
  bool supports(const llvm::SCEV *expression, unsigned depth = 0) const;
  Ends ends(const llvm::SCEV *expression, bool as_signed);
  void require(llvm::Value *check) { checks_.push_back(check); }
  llvm::Value *all_checks();
  llvm::IRBuilder<> &ir() { return ir_; }

private:
  llvm::Value *expand(const llvm::SCEV *expression);
  llvm::Value *trips();
  llvm::Value *exact(llvm::Intrinsic::ID operation, llvm::Value *left, llvm::Value *right);
  void require_fits(llvm::Value *value, unsigned bits, bool as_signed);
  void require_fits(Ends values, unsigned bits, bool as_signed);
  Ends sum(const llvm::SCEVAddExpr &expression, bool as_signed);
  Ends recurrence(const llvm::SCEVAddRecExpr &expression, bool as_signed);

  llvm::ScalarEvolution &evolution_;
  llvm::Loop &loop_;
  const llvm::SCEV *trip_count_;
  llvm::Instruction &point_;
  llvm::IRBuilder<> ir_;
  llvm::SCEVExpander expander_;
  llvm::Value *trips_ = nullptr;
  llvm::SmallVector<llvm::Value *, 8> checks_;
};

} // namespace kiln
