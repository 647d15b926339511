// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values as polynomials: sums and products of constants and of opaque values. Used to compare addresses and
// to compute slopes. Index arithmetic is assumed not to overflow.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace kiln {

/// A product of values. A special register is represented by the function that reads it, a loop's iteration
/// number by the loop's first block.
using Monomial = std::vector<const llvm::Value *>;
/// Coefficients of products; never 0. The map is ordered by addresses: use it only for look-up and
/// comparison.
using Polynomial = std::map<Monomial, int64_t>;

/// The constant, if the polynomial is one.
std::optional<int64_t> constant_of(const Polynomial &polynomial);
/// The polynomial without its constant.
Polynomial without_constant(Polynomial polynomial);
/// Slope of the polynomial in `variable`; none: it contains a higher power of it.
std::optional<Polynomial> slope_in(const Polynomial &polynomial, const llvm::Value *variable);

class LinearForms {
public:
  LinearForms(const llvm::DataLayout &layout, const llvm::LoopInfo &loops) : layout_(layout), loops_(loops) {}
  /// None: the polynomial is too large.
  std::optional<Polynomial> get(const llvm::Value &value) { return take(value, 0); }

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
