// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "across_block.h"

#include "thread_loop.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/PatternMatch.h>

namespace kiln::native {

using llvm::ICmpInst;
using llvm::Instruction;
using llvm::Value;

namespace {

constexpr unsigned max_depth = 12;
/// Times the number of threads of a block, the growth fits into 32 bits.
constexpr int64_t max_step = 1 << 16;
/// Narrower integers have fewer values than a block may have threads. A value that overflows twice would then
/// look as if it had not overflowed.
constexpr unsigned min_bits = 32;

} // namespace

std::optional<Slope> AcrossBlock::slope(const Value *value, unsigned depth) const {
  if (auto *argument = llvm::dyn_cast<llvm::Argument>(value))
    return Slope{argument->getArgNo() == ThreadParameter ? 1 : 0};
  auto *instruction = llvm::dyn_cast<Instruction>(value);
  if (!instruction) return Slope{};
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(instruction))
    if (auto found = starts_.find(phi); found != starts_.end())
      return depth > max_depth ? std::nullopt : slope(found->second, depth + 1);
  if (uniformity_.is_uniform(*instruction)) return Slope{};
  if (depth > max_depth || !instruction->getType()->isIntOrPtrTy()) return std::nullopt;
  auto operand = [&](unsigned i) { return slope(instruction->getOperand(i), depth + 1); };
  if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction)) {
    std::optional<Slope> total = operand(0);
    for (auto at = llvm::gep_type_begin(address); total && at != llvm::gep_type_end(address); ++at) {
      std::optional<Slope> index = slope(at.getOperand(), depth + 1);
      if (!index || (!index->constant() && (!total->constant() || index->either_sign))) return std::nullopt;
      if (!index->constant())
        total->step =
            index->step * int64_t(at.getSequentialElementStride(kernel_.getDataLayout()).getFixedValue());
    }
    return total;
  }
  switch (instruction->getOpcode()) {
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
  case Instruction::Freeze: return operand(0);
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Or: {
    if (auto *either = llvm::dyn_cast<llvm::PossiblyDisjointInst>(instruction);
        either && !either->isDisjoint())
      return std::nullopt;
    std::optional<Slope> left = operand(0), right = operand(1);
    // Reject sums of two values that both grow: the sum may look even although both values overflow.
    if (!left || !right || (!left->constant() && !right->constant())) return std::nullopt;
    if (right->constant()) return left;
    if (instruction->getOpcode() == Instruction::Sub) right->step = -right->step;
    return right;
  }
  case Instruction::Mul:
  case Instruction::Shl: {
    auto *factor = llvm::dyn_cast<llvm::ConstantInt>(instruction->getOperand(1));
    std::optional<Slope> left = operand(0);
    if (!left || !factor || factor->getValue().getSignificantBits() > 16 || factor->isNegative())
      return std::nullopt;
    left->step *= instruction->getOpcode() == Instruction::Mul ? factor->getSExtValue()
                                                               : int64_t(1) << (factor->getZExtValue() & 15);
    return std::abs(left->step) <= max_step ? left : std::nullopt;
  }
  case Instruction::Select: {
    auto *condition = llvm::dyn_cast<Instruction>(instruction->getOperand(0));
    if (condition && !uniformity_.is_uniform(*condition)) return std::nullopt;
    std::optional<Slope> yes = operand(1), no = operand(2);
    if (!yes || !no || std::abs(yes->step) != std::abs(no->step)) return std::nullopt;
    yes->either_sign |= no->either_sign || yes->step != no->step;
    return yes;
  }
  default: return std::nullopt;
  }
}

bool AcrossBlock::supports(const Value *condition, unsigned depth) const {
  auto *instruction = llvm::dyn_cast<Instruction>(condition);
  if (!instruction || uniformity_.is_uniform(*instruction)) return true;
  if (depth > max_depth) return false;
  if (auto *comparison = llvm::dyn_cast<ICmpInst>(instruction)) {
    llvm::Type *type = comparison->getOperand(0)->getType();
    if (!type->isIntegerTy() || type->getIntegerBitWidth() < min_bits || type->getIntegerBitWidth() > 64)
      return false;
    std::optional<Slope> left = slope(comparison->getOperand(0)), right = slope(comparison->getOperand(1));
    return left && right && (left->constant() || right->constant());
  }
  switch (instruction->getOpcode()) {
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Select:
  case Instruction::Freeze:
    return instruction->getType()->isIntegerTy(1) &&
           llvm::all_of(instruction->operands(),
                        [&](const llvm::Use &use) { return supports(use, depth + 1); });
  default: return false;
  }
}

/// Emits the evaluation of one condition at one insertion point.
class AcrossBlock::Evaluation {
public:
  Evaluation(const AcrossBlock &across, llvm::IRBuilder<> &ir, llvm::ValueToValueMapTy &in_place)
      : across_(across), ir_(ir), in_place_(in_place),
        facts_(read_block_facts(ir, across.kernel_.getArg(0))) {
    last_thread_ = ir.CreateSub(facts_.width, ir.getInt32(1));
  }

  Value *all(Value *condition, bool wanted) {
    Value *value = of_first(condition);
    if (!wanted) value = ir_.CreateNot(value);
    for (Value *check : checks_) value = ir_.CreateAnd(value, check);
    if (uses_rows_) value = ir_.CreateAnd(value, ir_.CreateICmpEQ(facts_.rows, ir_.getInt32(1)));
    return value;
  }

private:
  bool is_uniform(const Value *value) const {
    auto *instruction = llvm::dyn_cast<Instruction>(value);
    if (!instruction) return !is_thread_index(*value);
    auto *phi = llvm::dyn_cast<llvm::PHINode>(value);
    return !(phi && across_.starts_.count(phi)) && across_.uniformity_.is_uniform(*instruction);
  }
  Value *here(Value *value) {
    auto found = in_place_.find(value);
    return found == in_place_.end() ? value : &*found->second;
  }
  Value *frozen(Value *value) { return llvm::isa<llvm::Constant>(value) ? value : ir_.CreateFreeze(value); }

  /// Emits the condition's value in the first thread. Adds tests to `checks_`; they are true if all other
  /// threads agree.
  Value *of_first(Value *condition) {
    if (is_uniform(condition)) return frozen(here(condition));
    auto *instruction = llvm::cast<Instruction>(condition);
    if (auto *comparison = llvm::dyn_cast<ICmpInst>(instruction)) return compare(*comparison);
    if (auto *select = llvm::dyn_cast<llvm::SelectInst>(instruction)) {
      Value *which = of_first(select->getCondition()), *yes = of_first(select->getTrueValue()),
            *no = of_first(select->getFalseValue());
      return ir_.CreateSelect(which, yes, no);
    }
    if (llvm::isa<llvm::FreezeInst>(instruction)) return of_first(instruction->getOperand(0));
    Value *left = of_first(instruction->getOperand(0)), *right = of_first(instruction->getOperand(1));
    return ir_.CreateBinOp(llvm::cast<llvm::BinaryOperator>(instruction)->getOpcode(), left, right);
  }

  Value *compare(const ICmpInst &comparison) {
    const auto predicate = comparison.getPredicate();
    const bool as_signed = !ICmpInst::isUnsigned(predicate);
    Ends left = ends(comparison.getOperand(0), as_signed), right = ends(comparison.getOperand(1), as_signed);
    Value *of_first = ir_.CreateICmp(predicate, left.first, right.first);
    if (ICmpInst::isEquality(predicate)) // for x != y in all threads, one side must be smaller at both ends
      checks_.push_back(ir_.CreateOr(
          ir_.CreateAnd(ir_.CreateICmpSLT(left.first, right.first), ir_.CreateICmpSLT(left.last, right.last)),
          ir_.CreateAnd(ir_.CreateICmpSGT(left.first, right.first),
                        ir_.CreateICmpSGT(left.last, right.last))));
    else
      checks_.push_back(ir_.CreateICmpEQ(of_first, ir_.CreateICmp(predicate, left.last, right.last)));
    return of_first;
  }

  struct Ends {
    Value *first, *last;
  };
  Ends ends(Value *value, bool as_signed) {
    const Slope slope = *across_.slope(value);
    Ends found{frozen(at(value, ir_.getInt32(0), first_)), nullptr};
    found.last = slope.constant() ? found.first : frozen(at(value, last_thread_, last_));
    if (slope.constant()) return found;
    // Check that the value grows evenly from the first to the last thread, without overflow.
    llvm::Type *type = value->getType();
    Value *distance = ir_.CreateMul(ir_.CreateZExtOrTrunc(last_thread_, type),
                                    llvm::ConstantInt::get(type, uint64_t(std::abs(slope.step))));
    auto is_even = [&](bool grows) {
      Value *low = grows ? found.first : found.last, *high = grows ? found.last : found.first;
      return ir_.CreateAnd(ir_.CreateICmpEQ(ir_.CreateSub(high, low), distance),
                           ir_.CreateICmp(as_signed ? ICmpInst::ICMP_SGE : ICmpInst::ICMP_UGE, high, low));
    };
    Value *even = is_even(slope.step > 0);
    checks_.push_back(slope.either_sign ? ir_.CreateOr(even, is_even(slope.step < 0)) : even);
    return found;
  }

  /// Emits the value that `value` has in the thread with index x, y = z = 0.
  Value *at(Value *value, Value *x, std::map<Value *, Value *> &known) {
    if (is_thread_index(*value)) {
      if (llvm::cast<llvm::Argument>(value)->getArgNo() == ThreadParameter) return x;
      uses_rows_ = true;
      return ir_.getInt32(0);
    }
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(value))
      if (auto start = across_.starts_.find(phi); start != across_.starts_.end()) {
        Value *begun = at(start->second, x, known), *offset = here(phi);
        return offset == phi ? begun : ir_.CreateAdd(begun, offset);
      }
    if (!llvm::isa<Instruction>(value) || is_uniform(value)) return here(value);
    Value *&made = known[value];
    if (made) return made;
    Instruction *copy = llvm::cast<Instruction>(value)->clone();
    copy->dropPoisonGeneratingFlags();
    for (llvm::Use &use : copy->operands()) use.set(at(use, x, known));
    return known[value] = ir_.Insert(copy);
  }

  const AcrossBlock &across_;
  llvm::IRBuilder<> &ir_;
  llvm::ValueToValueMapTy &in_place_;
  BlockFacts facts_;
  Value *last_thread_;
  std::map<Value *, Value *> first_, last_; ///< never iterated
  std::vector<Value *> checks_;
  bool uses_rows_ = false;
};

Value *AcrossBlock::all(llvm::IRBuilder<> &ir, Value *condition, bool wanted,
                        llvm::ValueToValueMapTy &in_place) const {
  return Evaluation(*this, ir, in_place).all(condition, wanted);
}

} // namespace kiln::native
