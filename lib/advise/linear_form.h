// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expresses values of LLVM IR as polynomials: sums and products of constants and opaque values. They are used
// to compare addresses and to compute their strides. Index arithmetic is assumed not to overflow.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace kiln {

/// A product of values. The function that reads a special register represents that register. The first block
/// of a loop represents the number of its iterations.
using Monomial = std::vector<const llvm::Value *>;
/// A polynomial: the coefficient of each product of values. No coefficient is 0. The map's order depends on
/// memory addresses, so use it only for look-up and comparison.
using Polynomial = std::map<Monomial, int64_t>;

/// Returns the value of a polynomial that is a constant; empty for other polynomials.
std::optional<int64_t> constant_of(const Polynomial &polynomial);
/// Returns a - b. Empty: a coefficient overflows, or there are too many terms.
std::optional<Polynomial> difference(const Polynomial &a, const Polynomial &b);
/// The polynomial without its constant.
Polynomial without_constant(Polynomial polynomial);
/// Returns the slope of the polynomial in `variable`, that is, its derivative. Empty if the polynomial
/// contains a higher power of `variable`.
std::optional<Polynomial> slope_in(const Polynomial &polynomial, const llvm::Value *variable);

class LinearForms {
public:
  LinearForms(const llvm::DataLayout &layout, const llvm::LoopInfo &loops) : layout_(layout), loops_(loops) {}
  /// Returns `value` as a polynomial; empty if the polynomial would be too large.
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
