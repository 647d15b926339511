// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What holds for all threads of a block, found out from the first and the last one: a comparison of a value
// that grows with x by a constant, and does not overflow on the way, holds for a range of threads that begins
// or ends with one of these. So code in front of the loop over the threads can decide for all of them,
// without looking at each.
#pragma once

#include "uniformity.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <optional>

namespace kiln::native {

/// By how much an integer or an address (in bytes) grows from one thread of a row to the next.
struct Slope {
  int64_t step = 0;
  bool either_sign = false; ///< it may be -step: that depends on something uniform
  bool constant() const { return step == 0; }
};

class AcrossBlock {
public:
  /// `starts` says what phis of a loop stand for in its first iteration; they grow by something uniform in
  /// each. Threads whose state is the kernel's first parameter.
  AcrossBlock(llvm::Function &kernel, const Uniformity &uniformity)
      : kernel_(kernel), uniformity_(uniformity) {}

  void add_phi(const llvm::PHINode &phi, llvm::Value *start) { starts_[&phi] = start; }
  std::optional<Slope> slope(const llvm::Value *value, unsigned depth = 0) const;

  /// Whether all() knows how to evaluate this condition.
  bool supports(const llvm::Value *condition, unsigned depth = 0) const;
  /// An i1 that is the same for all threads: true only if the condition is `wanted` for each of them.
  /// `in_place` has what stands where `ir` is for values of the kernel; what it lacks stands for itself. Of a
  /// phi it has what was added to its start; one that it lacks is at its start.
  llvm::Value *all(llvm::IRBuilder<> &ir, llvm::Value *condition, bool wanted,
                   llvm::ValueToValueMapTy &in_place) const;

private:
  class Evaluation;
  llvm::Function &kernel_;
  const Uniformity &uniformity_;
  std::map<const llvm::PHINode *, llvm::Value *> starts_; ///< look-up only
};

} // namespace kiln::native
