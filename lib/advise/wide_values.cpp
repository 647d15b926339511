// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule that reports wide values (Float64, Int64) caused by a literal. A literal without a suffix is a Float64
// or an Int64, and operations with it have results that are equally wide.
//
// The rule divides wide values into connected groups. A literal is the cause of a group under three
// conditions:
//
// - No wide value is loaded, passed in or stored.
// - Its values come from narrow ones by promotion, a conversion in the same statement as the operation.
// - No value comes from an explicit conversion.
//
// Values that the optimiser narrowed again cost nothing, and do not appear in the examined IR.
#include "literals.h"
#include "rules.h"

#include <architectures/architectures.h>

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <fmt/format.h>

#include <climits>
#include <cmath>
#include <map>
#include <numeric>

namespace kiln {
namespace {

using llvm::Instruction;
/// Disjoint sets of numbered instructions.
class Groups {
public:
  explicit Groups(size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), size_t(0)); }
  size_t find(size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(size_t a, size_t b) {
    a = find(a), b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

private:
  std::vector<size_t> parent_;
};

/// A kind of wide value, Float64 or Int64. Its functions classify instructions that use or compute such
/// values.
class Width {
public:
  explicit Width(Literal::Kind kind) : kind_(kind) {}
  bool is_float() const { return kind_ == Literal::Kind::Float64; }

  bool is_wide(const llvm::Value &value) const {
    const llvm::Type *type = value.getType()->getScalarType();
    return is_float() ? type->isDoubleTy() : type->isIntegerTy(64);
  }
  bool touches(const Instruction &instruction) const {
    if (is_wide(instruction)) return true;
    for (const llvm::Value *operand : instruction.operands())
      if (is_wide(*operand)) return true;
    return false;
  }
  /// Returns true for a conversion from a narrower type to the wide type.
  bool is_widening(const Instruction &i) const {
    if (!is_wide(i)) return false;
    if (!is_float()) return llvm::isa<llvm::SExtInst, llvm::ZExtInst>(i);
    return llvm::isa<llvm::FPExtInst, llvm::SIToFPInst, llvm::UIToFPInst>(i);
  }
  /// Returns true for an operation that would promote a narrow operand to the wide type.
  bool is_operation(const Instruction &i) const {
    if (llvm::isa<llvm::BinaryOperator>(i)) return is_wide(i);
    if (is_float()) return llvm::isa<llvm::FCmpInst>(i) || is_math(i);
    return llvm::isa<llvm::ICmpInst>(i) || (llvm::isa<llvm::IntrinsicInst>(i) && is_wide(i));
  }
  static bool is_math(const Instruction &i) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
    return call && call->getCalledFunction() && call->getCalledFunction()->isDeclaration();
  }
  /// Returns true if the instruction loads, passes or stores a wide value. The program then intends this
  /// width.
  bool is_wanted(const Instruction &i) const {
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&i))
      return is_wide(i) && !is_own(*load->getPointerOperand());
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&i))
      return is_wide(*store->getValueOperand()) && !is_own(*store->getPointerOperand());
    if (llvm::isa<llvm::ExtractValueInst, llvm::InsertValueInst, llvm::ReturnInst, llvm::AtomicRMWInst,
                  llvm::AtomicCmpXchgInst, llvm::GetElementPtrInst, llvm::IntToPtrInst, llvm::PtrToIntInst>(
            i))
      return true;
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&i)) {
      const llvm::Function *callee = call->getCalledFunction();
      return !callee || !callee->isDeclaration() || (!is_float() && !callee->isIntrinsic());
    }
    for (const llvm::Value *operand : i.operands())
      if (llvm::isa<llvm::Argument>(operand) && is_wide(*operand)) return true;
    return false;
  }

private:
  /// Returns true if the pointer is to a variable on the function's stack. Such a store does not show that
  /// the width is intended.
  static bool is_own(const llvm::Value &pointer) {
    return llvm::isa<llvm::AllocaInst>(pointer.stripInBoundsOffsets());
  }
  Literal::Kind kind_;
};

/// Returns the constants of this width among an instruction's operands.
std::vector<double> constants_of(const Instruction &instruction, const Width &width) {
  std::vector<double> constants;
  for (const llvm::Value *operand : instruction.operands()) {
    if (!width.is_wide(*operand)) continue;
    const auto *constant = llvm::dyn_cast<llvm::Constant>(operand);
    if (constant && constant->getType()->isVectorTy()) constant = constant->getSplatValue();
    if (const auto *number = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant))
      constants.push_back(number->getValueAPF().convertToDouble());
    else if (const auto *number = llvm::dyn_cast_or_null<llvm::ConstantInt>(constant))
      constants.push_back(double(number->getSExtValue()));
  }
  return constants;
}

/// Properties of one group.
struct Group {
  std::vector<const Instruction *> instructions; ///< in function order
  bool is_wanted = false, is_promoted = false, is_converted = false, is_narrowed = false, is_costly = false;
  bool has_narrow_float = false;  ///< true if a value of the group was promoted from Float32 or Float16
  bool has_narrow_result = false; ///< true if a value of the group is converted to Float32 or Float16
};

/// Returns true if the conversion `widening` is a promotion: an operation of the same statement uses its
/// result. For integers, an operation on the conversion's operand also counts, since the optimiser may have
/// narrowed the operation to Int32.
bool is_promotion(const Instruction &widening, const Width &width) {
  const llvm::DILocation *statement = statement_of(widening);
  auto is_of_statement = [&](const llvm::User *user) {
    const auto *other = llvm::dyn_cast<Instruction>(user);
    return other && (!statement || statement_of(*other) == statement) &&
           (width.is_operation(*other) || (!width.is_float() && llvm::isa<llvm::BinaryOperator>(other)));
  };
  return llvm::any_of(widening.users(), is_of_statement) ||
         (!width.is_float() && llvm::any_of(widening.getOperand(0)->users(), is_of_statement));
}

/// Returns true if `value` is computed from user data: loaded values or arguments. Thread and block indices
/// are not user data.
bool is_data(const llvm::Value &value, unsigned depth = 6) {
  if (llvm::isa<llvm::Argument, llvm::LoadInst>(value)) return true;
  const auto *instruction = llvm::dyn_cast<Instruction>(&value);
  if (!instruction || depth == 0) return false;
  if (!llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::SelectInst, llvm::PHINode>(instruction))
    return false;
  return llvm::any_of(instruction->operands(), [&](const llvm::Value *operand) {
    return !llvm::isa<llvm::Constant>(operand) && is_data(*operand, depth - 1);
  });
}

/// Returns true if the comparison decides about a branch to code that throws. It then remains from a checked
/// conversion.
bool decides_throw(const Instruction &comparison) {
  for (const llvm::User *user : comparison.users())
    if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(user))
      for (const llvm::BasicBlock *successor : branch->successors())
        if (is_cold(*successor)) return true;
  return false;
}

bool is_power_of_two(double value) {
  const auto number = int64_t(value < 0 ? -value : value);
  return number != 0 && (number & (number - 1)) == 0;
}

void examine(const Instruction &i, const Width &width, Group &group) {
  using namespace llvm::PatternMatch;
  group.instructions.push_back(&i);
  if (width.is_widening(i)) {
    const bool is_promoted = is_promotion(i, width) && (width.is_float() || is_data(*i.getOperand(0)));
    (is_promoted ? group.is_promoted : group.is_converted) = true;
    group.has_narrow_float = group.has_narrow_float || llvm::isa<llvm::FPExtInst>(i);
    return;
  }
  if (width.is_wanted(i)) group.is_wanted = true;
  if (width.is_float()) {
    group.has_narrow_result = group.has_narrow_result || llvm::isa<llvm::FPTruncInst>(i);
    group.is_costly = group.is_costly || width.is_operation(i);
    return;
  }
  if (llvm::isa<llvm::TruncInst>(i)) group.is_narrowed = true;
  if (const auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&i);
      operation && operation->isIntDivRem()) {
    const std::vector<double> divisors = constants_of(i, width);
    group.is_costly = group.is_costly || divisors.empty() || !is_power_of_two(divisors.back());
  }
  if (llvm::isa<llvm::ICmpInst>(i) && decides_throw(i)) group.is_costly = group.is_narrowed = true;
}

std::vector<Group> groups_of(const llvm::Function &function, const Width &width) {
  std::vector<const Instruction *> all;
  std::map<const Instruction *, size_t> numbers; // looked up only
  for (const Instruction &instruction : llvm::instructions(function))
    if (width.touches(instruction)) {
      numbers[&instruction] = all.size();
      all.push_back(&instruction);
    }
  Groups groups(all.size());
  std::map<const llvm::DILocation *, size_t> statements; // looked up only
  for (size_t i = 0; i < all.size(); i++) {
    for (const llvm::Value *operand : all[i]->operands()) {
      const auto *maker = llvm::dyn_cast<Instruction>(operand);
      if (maker && width.is_wide(*maker)) groups.join(i, numbers.at(maker));
    }
    // Instructions of one user statement are in one group, so that an inlined library function is in the
    // group of its call.
    const llvm::DILocation *statement = width.is_float() ? statement_of(*all[i]) : nullptr;
    if (statement) groups.join(i, statements.try_emplace(statement, i).first->second);
  }
  std::map<size_t, Group> found; // the key is the number of a group's first instruction
  for (size_t i = 0; i < all.size(); i++) examine(*all[i], width, found[groups.find(i)]);
  std::vector<Group> result;
  for (auto &[first, group] : found) result.push_back(std::move(group));
  return result;
}

/// Returns the throughput of Float64 operations relative to Float32 in words, such as "half as many".
std::string float64_rate(int sm) {
  const uint32_t ratio = architecture_up_to(sm).float64_ratio;
  return ratio == 2 ? std::string("half as many") : fmt::format("1/{} as many", ratio);
}

class WideRule {
public:
  WideRule(const Width &width, const GpuFacts *gpu, Findings &findings)
      : width_(width), gpu_(gpu), findings_(findings) {}

  void tell(const Group &group) {
    if (group.is_wanted || group.is_converted || !group.is_promoted || !group.is_costly) return;
    if (!width_.is_float() && !group.is_narrowed) return;
    // A Float64 group without Float32 or Float16 values has only integers, such as the length of a Float64
    // range.
    if (width_.is_float() && !group.has_narrow_float && !group.has_narrow_result) return;
    bool is_reported = false;
    for (const Instruction *i : group.instructions)
      if (width_.is_operation(*i) || llvm::isa<llvm::PHINode, llvm::SelectInst>(i))
        for (double constant : constants_of(*i, width_))
          is_reported |=
              report_literal(*i, nearest(*i, group), constant) || report_computed(*i, constant, group);
    if (!is_reported) report_unnamed(group);
  }

private:
  /// Returns an instruction with a source place for `i`. If `i` has no place, as a loop variable's phi, it is
  /// one of its users or of its group.
  static const Instruction &nearest(const Instruction &i, const Group &group) {
    if (statement_of(i) && !llvm::isa<llvm::PHINode>(i)) return i;
    for (const llvm::User *user : i.users())
      if (const auto *other = llvm::dyn_cast<Instruction>(user);
          other && statement_of(*other) && !llvm::isa<llvm::PHINode>(other))
        return *other;
    for (const Instruction *other : group.instructions)
      if (statement_of(*other)) return *other;
    return i;
  }

  bool report_literal(const Instruction &i, const Instruction &placed, double constant) {
    const Location statement = findings_.place_of_statement(placed);
    const llvm::DILocation *at = statement_of(placed);
    const llvm::DISubprogram *function = at ? at->getScope()->getSubprogram() : nullptr;
    if (!statement || !function) return false;
    const bool is_scale = i.getOpcode() == Instruction::FMul || i.getOpcode() == Instruction::FDiv;
    auto is_wanted = [&](const Literal &literal) {
      if ((literal.kind == Literal::Kind::Float64) != width_.is_float()) return false;
      // The optimiser rewrites constants: x / 2.0 becomes x * 0.5, x - 2 becomes x + -2, and x * 4 becomes a
      // shift by 2. The check of a conversion to Int32 adds 2^31.
      if (literal.value == constant || literal.value == -constant) return true;
      if (width_.is_float()) return is_scale && literal.value != 0 && 1 / literal.value == constant;
      if (i.getOpcode() == Instruction::Shl) return literal.value == std::exp2(constant);
      return literal.value == constant - 0x1p31 || -literal.value == constant - 0x1p31;
    };
    auto found = find_literal(statement, function->getLine(), is_wanted);
    if (!found) return false;
    const std::string narrow = width_.is_float() ? as_float32(found->text) : found->text + "i32";
    findings_.add_at(rule(), placed, found->at,
                     fmt::format("the literal {} makes this {}", found->text, cost()),
                     fmt::format("write {}", narrow));
    return true;
  }

  /// Reports a constant that was computed from literals at compile time, such as (2 / 3). Returns false if it
  /// is not such a constant. Constants inside library functions are excluded by their inlined frame or by
  /// their group.
  bool report_computed(const Instruction &i, double constant, const Group &group) {
    if (!width_.is_float() || !group.has_narrow_float || !llvm::isa<llvm::BinaryOperator, llvm::FCmpInst>(i))
      return false;
    const llvm::DILocation *at = statement_of(i);
    if (!at || at != i.getDebugLoc().get() || std::trunc(constant) == constant) return false;
    findings_.add(
        rule(), i, fmt::format("the constant {}, computed at compile time, makes this {}", constant, cost()),
        "convert it, Float32(...) or in generic code T(...), or compute it from Float32: 2f0 / 3f0");
    return true;
  }

  /// Reports a group for which no literal was found in the source. Constants of library functions are not
  /// reported.
  void report_unnamed(const Group &group) {
    for (const Instruction *i : group.instructions) {
      if (!width_.is_operation(*i) || !statement_of(*i)) continue;
      if (!width_.is_float()) {
        if (is_definition(*i)) return; // a constructor's conversions have no place that the user could change
        findings_.add(rule(), *i, fmt::format("an Int64 makes this {}", cost()),
                      "make all operands Int32: literals as 1i32, others by Int32(...)");
        return;
      }
      if (!divides_integers(*i)) continue;
      findings_.add(rule(), *i, fmt::format("the quotient of two integers makes this {}", cost()),
                    "convert first, Float32(a) / Float32(b), or take the integer quotient, a ÷ b");
      return;
    }
  }

  /// Returns true if `i` is a division `/` of two integers in the user's code. The divisor may be a constant.
  bool divides_integers(const Instruction &i) const {
    if (i.getOpcode() != Instruction::FDiv && i.getOpcode() != Instruction::FMul) return false;
    auto is_integer = [](const llvm::Value *operand) {
      return llvm::isa<llvm::SIToFPInst, llvm::UIToFPInst>(operand);
    };
    const llvm::Value *second = i.getOperand(1);
    // LLVM rewrites x / 4 as x * 0.25, so a product with the inverse of a power of two may be a division.
    const auto *constant = llvm::dyn_cast<llvm::ConstantFP>(second);
    const bool is_inverse = constant && (i.getOpcode() == Instruction::FDiv ||
                                         constant->getValueAPF().getExactLog2Abs() != INT_MIN);
    if (!is_integer(i.getOperand(0)) || !(is_integer(second) || is_inverse)) return false;
    const Location at = findings_.place_of_statement(i);
    if (!at) return false;
    const std::string_view line = at.file->line(at.line());
    return line.substr(0, line.find('#')).find('/') != std::string_view::npos;
  }

  /// Returns true if the source place of `i` is a type definition: the instruction is then in its implicit
  /// constructor.
  bool is_definition(const Instruction &i) const {
    const Location at = findings_.place_of_statement(i);
    const std::string_view line = at ? at.file->line(at.line()) : std::string_view();
    const size_t begin = line.find_first_not_of(' ');
    return begin != line.npos &&
           (line.substr(begin).starts_with("struct ") || line.substr(begin).starts_with("mutable struct "));
  }

  std::string_view rule() const { return width_.is_float() ? "wide-float" : "wide-integer"; }
  std::string_view type() const { return width_.is_float() ? "Float64" : "Int64"; }
  std::string cost() const {
    if (!width_.is_float())
      return "Int64 arithmetic on Int32 values, which takes several instructions where Int32 takes one and is "
             "checked when the result is stored";
    if (!gpu_)
      return "Float64 arithmetic on narrower values, of which a vector of the CPU holds half as many";
    return fmt::format("Float64 arithmetic on narrower values, of which sm_{} does {} a cycle as of Float32",
                       gpu_->sm, float64_rate(gpu_->sm));
  }

  const Width &width_;
  const GpuFacts *gpu_;
  Findings &findings_;
};

} // namespace

void find_wide_values(const KernelIr &ir, const GpuFacts *gpu, Findings &findings) {
  for (Literal::Kind kind : {Literal::Kind::Float64, Literal::Kind::Int64}) {
    // Int64 values are not reported on CPUs, where Int64 arithmetic is as fast as Int32.
    if (kind == Literal::Kind::Int64 && !gpu) continue;
    const Width width(kind);
    for (const llvm::Function *function : ir.functions())
      for (const Group &group : groups_of(*function, width)) WideRule(width, gpu, findings).tell(group);
  }
}

} // namespace kiln
