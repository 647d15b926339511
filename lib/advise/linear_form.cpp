// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "linear_form.h"

#include "divergence.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

namespace kiln {
namespace {

using Form = std::optional<Polynomial>;

constexpr size_t max_terms = 24, max_degree = 4;
constexpr unsigned max_form_depth = 200;
constexpr unsigned max_steps = 200'000; ///< values visited per function

Form constant(int64_t value) {
  Polynomial polynomial;
  if (value) polynomial[{}] = value;
  return polynomial;
}

Form atom(const llvm::Value &value) { return Polynomial{{{&value}, 1}}; }

Form sum(const Form &a, const Form &b, int64_t factor = 1) {
  if (!a || !b) return std::nullopt;
  Polynomial result = *a;
  for (const auto &[product, coefficient] : *b) {
    int64_t scaled = 0;
    int64_t &into = result[product];
    if (__builtin_mul_overflow(coefficient, factor, &scaled) || __builtin_add_overflow(into, scaled, &into))
      return std::nullopt;
    if (into == 0) result.erase(product);
  }
  return result.size() <= max_terms ? Form(std::move(result)) : std::nullopt;
}

Form product(const Form &a, const Form &b) {
  if (!a || !b) return std::nullopt;
  Form result = Polynomial();
  for (const auto &[left, first] : *a)
    for (const auto &[right, second] : *b) {
      Monomial both = left;
      both.insert(both.end(), right.begin(), right.end());
      if (both.size() > max_degree) return std::nullopt;
      std::sort(both.begin(), both.end());
      int64_t coefficient = 0;
      if (__builtin_mul_overflow(first, second, &coefficient)) return std::nullopt;
      result = sum(result, Polynomial{{both, coefficient}});
      if (!result) return std::nullopt;
    }
  return result;
}

Form power_of_two(const Form &exponent) {
  const auto bits = exponent ? constant_of(*exponent) : std::nullopt;
  return bits && *bits >= 0 && *bits < 62 ? constant(int64_t(1) << *bits) : std::nullopt;
}

bool is_disjoint(const llvm::Instruction &i) {
  const auto *either = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&i);
  return either && either->isDisjoint();
}

} // namespace

std::optional<int64_t> constant_of(const Polynomial &polynomial) {
  if (polynomial.empty()) return 0;
  if (polynomial.size() == 1 && polynomial.begin()->first.empty()) return polynomial.begin()->second;
  return std::nullopt;
}

std::optional<Polynomial> difference(const Polynomial &a, const Polynomial &b) { return sum(a, b, -1); }

Polynomial without_constant(Polynomial polynomial) {
  polynomial.erase(Monomial());
  return polynomial;
}

std::optional<Polynomial> slope_in(const Polynomial &polynomial, const llvm::Value *variable) {
  Polynomial slope;
  for (const auto &[product, coefficient] : polynomial) {
    const auto times = std::count(product.begin(), product.end(), variable);
    if (times > 1) return std::nullopt;
    if (times == 0) continue;
    Monomial others = product;
    others.erase(std::find(others.begin(), others.end(), variable));
    // `slope` has no such product yet, since two products do not differ in `variable` alone.
    slope[others] = coefficient;
  }
  return slope;
}

std::optional<Polynomial> LinearForms::take(const llvm::Value &value, unsigned depth) {
  if (auto known = known_.find(&value); known != known_.end()) return known->second;
  if (depth > max_form_depth || ++steps_ > max_steps) return std::nullopt;
  Form form = compute(value, depth + 1);
  known_[&value] = form;
  return form;
}

std::optional<Polynomial> LinearForms::compute(const llvm::Value &value, unsigned depth) {
  if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(&value))
    return number->getValue().getSignificantBits() <= 64 ? constant(number->getSExtValue()) : std::nullopt;
  if (llvm::isa<llvm::ConstantPointerNull>(value)) return constant(0);
  if (const auto *step = llvm::dyn_cast<llvm::GEPOperator>(&value)) return of_pointer(*step, depth);
  if (const auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(&value))
    return take(*cast->getPointerOperand(), depth);
  if (const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value))
    if (!value.getType()->isVectorTy()) return of_instruction(*instruction, depth);
  return atom(value);
}

std::optional<Polynomial> LinearForms::of_instruction(const llvm::Instruction &i, unsigned depth) {
  auto operand = [&](unsigned n) { return take(*i.getOperand(n), depth); };
  switch (i.getOpcode()) {
  case llvm::Instruction::Add: return sum(operand(0), operand(1));
  case llvm::Instruction::Sub: return sum(operand(0), operand(1), -1);
  case llvm::Instruction::Mul: return product(operand(0), operand(1));
  case llvm::Instruction::Shl:
    if (Form scale = power_of_two(operand(1))) return product(operand(0), scale);
    return atom(i);
  case llvm::Instruction::Or: return is_disjoint(i) ? sum(operand(0), operand(1)) : atom(i);
  case llvm::Instruction::SExt:
  case llvm::Instruction::ZExt:
  case llvm::Instruction::Trunc:
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::IntToPtr:
  case llvm::Instruction::Freeze: return i.getOperand(0)->getType()->isIntegerTy(1) ? atom(i) : operand(0);
  case llvm::Instruction::PHI: return of_induction(llvm::cast<llvm::PHINode>(i), depth);
  default: break;
  }
  if (!special_register(i).empty()) return atom(*llvm::cast<llvm::CallInst>(i).getCalledFunction());
  return atom(i);
}

std::optional<Polynomial> LinearForms::of_pointer(const llvm::GEPOperator &step, unsigned depth) {
  Form form = take(*step.getPointerOperand(), depth);
  for (auto at = llvm::gep_type_begin(step), end = llvm::gep_type_end(step); at != end; ++at) {
    const llvm::Value &index = *at.getOperand();
    if (const llvm::StructType *type = at.getStructTypeOrNull()) {
      const auto field = unsigned(llvm::cast<llvm::ConstantInt>(index).getZExtValue());
      const uint64_t offset =
          layout_.getStructLayout(const_cast<llvm::StructType *>(type))->getElementOffset(field);
      form = sum(form, constant(int64_t(offset)));
    } else {
      const uint64_t size = at.getSequentialElementStride(layout_).getFixedValue();
      form = sum(form, product(take(index, depth), constant(int64_t(size))));
    }
  }
  return form;
}

/// Polynomial of a loop variable with an invariant step: its start value, plus the step times the number of
/// iterations.
std::optional<Polynomial> LinearForms::of_induction(const llvm::PHINode &phi, unsigned depth) {
  const llvm::Loop *loop = loops_.getLoopFor(phi.getParent());
  if (!loop || loop->getHeader() != phi.getParent() || phi.getNumIncomingValues() != 2) return atom(phi);
  const unsigned back = loop->contains(phi.getIncomingBlock(0)) ? 0 : 1;
  if (loop->contains(phi.getIncomingBlock(1 - back))) return atom(phi);
  // Polynomials computed while the loop variable is an opaque value are discarded afterwards.
  Known outside = known_;
  known_[&phi] = atom(phi);
  const Form step = sum(take(*phi.getIncomingValue(back), depth), atom(phi), -1);
  known_ = std::move(outside);
  if (!step) return atom(phi);
  for (const auto &[values, coefficient] : *step)
    for (const llvm::Value *value : values) {
      const auto *made = llvm::dyn_cast<llvm::Instruction>(value);
      const auto *iterations = llvm::dyn_cast<llvm::BasicBlock>(value);
      if ((made && loop->contains(made)) || (iterations && loop->contains(iterations))) return atom(phi);
    }
  return sum(take(*phi.getIncomingValue(1 - back), depth), product(*step, atom(*phi.getParent())));
}

} // namespace kiln
