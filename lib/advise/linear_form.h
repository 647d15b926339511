// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value as a polynomial: sums and products of constants and of values that are not taken apart further.
// Addresses are compared and differentiated so. Index arithmetic is taken not to overflow.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace kiln {

/// A product of values. Of a special register stands the function that reads it, of the number of a loop's
/// iterations the loop's first block.
using Monomial = std::vector<const llvm::Value *>;
/// Coefficients of products; none is 0. The order of the map follows addresses: look up and compare only.
using Polynomial = std::map<Monomial, int64_t>;

/// The constant, if that is all it is.
std::optional<int64_t> constant_of(const Polynomial &polynomial);
/// Without its constant.
Polynomial without_constant(Polynomial polynomial);
/// By how much the polynomial rises where `variable`, of which it has no higher power, rises by 1; nothing:
/// it has.
std::optional<Polynomial> slope_in(const Polynomial &polynomial, const llvm::Value *variable);

class LinearForms {
public:
  LinearForms(const llvm::DataLayout &layout, const llvm::LoopInfo &loops) : layout_(layout), loops_(loops) {}
  /// Nothing: the polynomial is too large.
  std::optional<Polynomial> of(const llvm::Value &value) { return take(value, 0); }

private:
  using Known = std::map<const llvm::Value *, std::optional<Polynomial>>; // looked up only
  std::optional<Polynomial> take(const llvm::Value &value, unsigned depth);
  std::optional<Polynomial> compute(const llvm::Value &value, unsigned depth);
  std::optional<Polynomial> of_instruction(const llvm::Instruction &instruction, unsigned depth);
  std::optional<Polynomial> of_pointer(const llvm::GEPOperator &step, unsigned depth);
  std::optional<Polynomial> of_induction(const llvm::PHINode &phi, unsigned depth);

  const llvm::DataLayout &layout_;
  const llvm::LoopInfo &loops_;
  Known known_;
  unsigned steps_ = 0;
};

} // namespace kiln
