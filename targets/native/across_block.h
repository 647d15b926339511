// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about all threads of a block, derived from its first and last thread. Take a value that grows with x
// by a constant, without overflow. A comparison with a value that is equal in all threads divides the threads
// into two ranges. One holds the first thread, the other the last. So code before the loop over the threads
// can decide for all of them at once.
#pragma once

#include "uniformity.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <optional>

namespace kiln::native {

/// Growth of an integer or address (in bytes) from one thread of a row to the next.
struct Slope {
  int64_t step = 0;
  bool either_sign = false; ///< may also be -step, by a uniform condition
  bool constant() const { return step == 0; }
};

class AcrossBlock {
public:
  /// add_phi() gives phis of a loop their value in the first iteration; each iteration adds a uniform value.
  /// The kernel's first parameter is the state.
  AcrossBlock(llvm::Function &kernel, const Uniformity &uniformity)
      : kernel_(kernel), uniformity_(uniformity) {}

  void add_phi(const llvm::PHINode &phi, llvm::Value *start) { starts_[&phi] = start; }
  std::optional<Slope> slope(const llvm::Value *value, unsigned depth = 0) const;

  /// True if all() can evaluate this condition.
  bool supports(const llvm::Value *condition, unsigned depth = 0) const;
  /// Returns an i1 equal in all threads: true only if the condition is `wanted` in each of them.
  /// `in_place` maps values of the kernel to their values at the insertion point of `ir`; unmapped values are
  /// used directly. A phi maps to its offset from its start; an unmapped phi is at its start.
  llvm::Value *all(llvm::IRBuilder<> &ir, llvm::Value *condition, bool wanted,
                   llvm::ValueToValueMapTy &in_place) const;

private:
  class Evaluation;
  llvm::Function &kernel_;
  const Uniformity &uniformity_;
  std::map<const llvm::PHINode *, llvm::Value *> starts_; ///< never iterated
};

} // namespace kiln::native
