// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "narrowing.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/PatternMatch.h>

#include <map>
#include <optional>
#include <set>

namespace kiln::native {
namespace {

using llvm::BasicBlock;
using llvm::CmpInst;
using llvm::ICmpInst;
using llvm::Instruction;
using llvm::Value;

constexpr unsigned max_instructions = 24;

class Narrowing {
public:
  Narrowing(ThreadLoop &loop, const std::vector<BasicBlock *> &blocks)
      : loop_(loop), blocks_(blocks.begin(), blocks.end()), ir_(loop.row->getTerminator()) {
    blocks_.insert(loop.head);
  }

  bool run() {
    std::set<BasicBlock *> seen; // never iterated
    for (BasicBlock *block = loop_.head; block && seen.insert(block).second && is_quiet(*block);) {
      auto *branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      if (!branch) break;
      BasicBlock *next = branch->getSuccessor(0);
      if (branch->isConditional()) {
        const bool holds = is_idle(branch->getSuccessor(1));
        if (!holds && !is_idle(next)) break;
        narrow(branch->getCondition(), holds);
        next = branch->getSuccessor(holds ? 0 : 1);
      }
      block = blocks_.count(next) && next->getSinglePredecessor() ? next : nullptr;
    }
    if (first_) loop_.narrow(first_, limit_, runs_);
    return first_;
  }

private:
  static bool is_quiet(const BasicBlock &block) {
    return llvm::none_of(block, [](const Instruction &instruction) {
      return instruction.mayHaveSideEffects() || instruction.isAtomic() || instruction.isVolatile();
    });
  }
  /// True if a thread does nothing more in the region from this block on.
  bool is_idle(BasicBlock *block) const {
    for (unsigned steps = 0; block != loop_.latch; ++steps) {
      if (steps > max_instructions || !blocks_.count(block) || !is_quiet(*block) ||
          !block->getSingleSuccessor())
        return false;
      block = block->getSingleSuccessor();
    }
    return true;
  }

  void narrow(Value *condition, bool holds) {
    using namespace llvm::PatternMatch;
    Value *left, *right;
    if (match(condition, m_Not(m_Value(left)))) return narrow(left, !holds);
    if (holds ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
              : match(condition, m_LogicalOr(m_Value(left), m_Value(right)))) {
      narrow(left, holds);
      return narrow(right, holds);
    }
    if (auto *comparison = llvm::dyn_cast<ICmpInst>(condition))
      narrow(*comparison, holds ? comparison->getPredicate() : comparison->getInversePredicate());
  }

  void narrow(ICmpInst &comparison, CmpInst::Predicate predicate) {
    auto *type = llvm::dyn_cast<llvm::IntegerType>(comparison.getOperand(0)->getType());
    std::optional<int> left = slope(comparison.getOperand(0)), right = slope(comparison.getOperand(1));
    if (!type || type->getBitWidth() > 64 || predicate == CmpInst::ICMP_NE || !left || !right) return;
    if (!first_) first_ = loop_.first, limit_ = loop_.limit;
    unsigned grows = *left ? 0 : 1;
    if (*left == 0 && *right == 0) { // the condition is the same for all threads of the row
      Value *all = ir_.CreateICmp(predicate, at(comparison.getOperand(0), first_),
                                  at(comparison.getOperand(1), first_));
      all = ir_.CreateFreeze(all);
      runs_ = runs_ ? ir_.CreateAnd(runs_, all) : all;
      // In this loop the comparison is true. Uses in other regions, and by the test of the row, still need
      // it.
      comparison.replaceUsesWithIf(
          llvm::ConstantInt::getBool(comparison.getContext(), predicate == comparison.getPredicate()),
          [&](const llvm::Use &use) { return in_loop(use.getUser()); });
      return;
    }
    if (*left * *left + *right * *right != 1) return;
    if (grows == 1) predicate = CmpInst::getSwappedPredicate(predicate);
    const bool as_signed = !CmpInst::isUnsigned(predicate);
    Value *growing = comparison.getOperand(grows), *fixed = comparison.getOperand(1 - grows);
    Value *last = ir_.CreateSub(limit_, ir_.getInt32(1));
    Value *low = wide(at(growing, first_), as_signed), *high = wide(at(growing, last), as_signed),
          *bound = wide(at(fixed, first_), as_signed);
    Value *sound = ir_.getTrue();
    if (!as_signed && type->getBitWidth() == 64)
      sound = ir_.CreateICmpSGE(ir_.CreateOr(low, bound),
                                ir_.getInt64(0)); // both values are the same when read as signed
    if (*left + *right < 0) {                     // falling values: their complements grow
      low = ir_.CreateNot(low), high = ir_.CreateNot(high), bound = ir_.CreateNot(bound);
      predicate = CmpInst::getSwappedPredicate(predicate);
    }
    // Check that the growing value did not overflow.
    Value *threads = ir_.CreateZExt(ir_.CreateSub(limit_, first_), ir_.getInt64Ty());
    Value *distance = ir_.CreateAdd(ir_.CreateSub(high, low), ir_.getInt64(1));
    sound = ir_.CreateAnd(sound,
                          ir_.CreateAnd(ir_.CreateICmpEQ(distance, threads), ir_.CreateICmpSGE(high, low)));
    Value *below =
        ir_.CreateBinaryIntrinsic(llvm::Intrinsic::ssub_sat, bound, low); // thread count with value < bound
    Value *up_to = ir_.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, below, ir_.getInt64(1));
    Value *from = ir_.getInt64(0), *to = threads;
    switch (ICmpInst::isEquality(predicate) ? predicate : ICmpInst::getSignedPredicate(predicate)) {
    case CmpInst::ICMP_SLT: to = below; break;
    case CmpInst::ICMP_SLE: to = up_to; break;
    case CmpInst::ICMP_SGE: from = below; break;
    case CmpInst::ICMP_SGT: from = up_to; break;
    default: from = below, to = up_to; break; // equality
    }
    Value *new_first = ir_.CreateNUWAdd(first_, clamped(from, threads)),
          *new_limit = ir_.CreateNUWAdd(first_, clamped(to, threads));
    sound = ir_.CreateFreeze(sound);
    Value *old_first = first_;
    first_ = ir_.CreateSelect(sound, new_first, old_first);
    limit_ = ir_.CreateSelect(sound, new_limit, limit_);
  }

  Value *clamped(Value *count, Value *threads) {
    count = ir_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, count, ir_.getInt64(0));
    count = ir_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, count, threads);
    return ir_.CreateTrunc(count, ir_.getInt32Ty());
  }
  Value *wide(Value *value, bool as_signed) {
    value = ir_.CreateFreeze(value);
    return as_signed ? ir_.CreateSExt(value, ir_.getInt64Ty()) : ir_.CreateZExt(value, ir_.getInt64Ty());
  }

  bool in_loop(const Value *value) const {
    auto *instruction = llvm::dyn_cast<Instruction>(value);
    return instruction && blocks_.count(instruction->getParent());
  }

  /// Difference of the value per step of x, if nothing overflows. No value: unknown.
  std::optional<int> slope(Value *value, unsigned depth = 0) const {
    if (value == loop_.counter) return 1;
    if (!in_loop(value)) return 0;
    auto *instruction = llvm::cast<Instruction>(value);
    if (depth > 8 || !llvm::isa<llvm::BinaryOperator, llvm::CastInst>(instruction) ||
        !value->getType()->isIntegerTy() || instruction->isIntDivRem())
      return std::nullopt;
    std::optional<int> left = slope(instruction->getOperand(0), depth + 1);
    std::optional<int> right =
        instruction->getNumOperands() > 1 ? slope(instruction->getOperand(1), depth + 1) : 0;
    if (!left || !right) return std::nullopt;
    switch (instruction->getOpcode()) {
    case Instruction::Add: return *left + *right;
    case Instruction::Sub: return *left - *right;
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::Trunc: return *left;
    default:
      if (*left == 0 && *right == 0) return 0;
      if (auto *either = llvm::dyn_cast<llvm::PossiblyDisjointInst>(instruction);
          either && either->isDisjoint())
        return *left + *right;
      return std::nullopt;
    }
  }

  /// Emits the value for another x. slope() must have returned a result for the expression.
  Value *at(Value *value, Value *x) {
    if (value == loop_.counter) return x;
    if (!in_loop(value)) return value;
    Instruction *copy = llvm::cast<Instruction>(value)->clone();
    copy->dropPoisonGeneratingFlags();
    for (llvm::Use &use : copy->operands()) use.set(at(use, x));
    return ir_.Insert(copy);
  }

  ThreadLoop &loop_;
  std::set<const BasicBlock *> blocks_; ///< never iterated
  llvm::IRBuilder<> ir_;
  Value *first_ = nullptr, *limit_ = nullptr;
  Value *runs_ = nullptr; ///< condition under which the row runs; null: it always runs
};

} // namespace

bool narrow_to_workers(ThreadLoop &loop, const std::vector<BasicBlock *> &blocks) {
  return Narrowing(loop, blocks).run();
}

} // namespace kiln::native
