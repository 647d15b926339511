// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about all threads of a block, derived from its first and last thread. A value that grows with x by a
// constant without overflow compares equally in a range of threads that includes the first or the last one.
// Code before the loop over the threads can therefore decide a comparison for all threads at once.
#pragma once

#include "uniformity.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <optional>

namespace kiln::native {

/// Difference of an integer or address (in bytes) between a thread of a row and the next thread.
struct Slope {
  int64_t step = 0;
  bool either_sign = false; ///< a uniform condition decides between step and -step
  bool constant() const { return step == 0; }
};

class AcrossBlock {
public:
  /// `kernel`: its first parameter is the state. For phis of a loop, call add_phi() with the value in the
  /// first iteration; later iterations must add uniform values.
  AcrossBlock(llvm::Function &kernel, const Uniformity &uniformity)
      : kernel_(kernel), uniformity_(uniformity) {}

  void add_phi(const llvm::PHINode &phi, llvm::Value *start) { starts_[&phi] = start; }
  std::optional<Slope> slope(const llvm::Value *value, unsigned depth = 0) const;

  /// True if all() can evaluate this condition.
  bool supports(const llvm::Value *condition, unsigned depth = 0) const;
  /// Emits an i1 that is equal in all threads. It is true only if `condition` equals `wanted` in each thread.
  /// `in_place` maps values of the kernel to values at the insertion point of `ir`; other values are used
  /// directly. A phi of add_phi() maps to its growth since the first iteration; without an entry, that is 0.
  llvm::Value *all(llvm::IRBuilder<> &ir, llvm::Value *condition, bool wanted,
                   llvm::ValueToValueMapTy &in_place) const;

private:
  class Evaluation;
  llvm::Function &kernel_;
  const Uniformity &uniformity_;
  std::map<const llvm::PHINode *, llvm::Value *> starts_; ///< never iterated
};

} // namespace kiln::native
