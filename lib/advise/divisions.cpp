// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule that reports divisions by a loop-invariant divisor. A division takes tens of instructions, and more
// than a hundred for Int64 on a GPU. For an invariant divisor, most of that work can be done once before the
// loop.
//
// Three kinds of divisors are not reported: a divisor computed in each iteration, which is inherent in the
// algorithm; a constant, for which machine code has no division; a divisor of an invariant dividend, since
// the optimiser hoists that division.
#include "rules.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <fmt/format.h>

namespace kiln {
namespace {

using llvm::Instruction;
constexpr unsigned max_depth = 8; ///< depth of the divisor's computation

bool is_division(const Instruction &i) {
  const auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&i);
  if (!operation) return false;
  if (operation->isIntDivRem()) return true;
  // If LLVM may replace a float division by a reciprocal, it optimises the division itself, so nothing is
  // reported.
  return (i.getOpcode() == Instruction::FDiv || i.getOpcode() == Instruction::FRem) &&
         !i.hasAllowReciprocal();
}

/// Returns true if `value` is the same in all iterations of the loop, even if the optimiser has not hoisted
/// its computation.
bool is_invariant(const llvm::Value &value, const llvm::Loop &loop, unsigned depth = max_depth) {
  if (loop.isLoopInvariant(&value)) return true;
  const auto &instruction = llvm::cast<Instruction>(value);
  if (depth == 0 || llvm::isa<llvm::PHINode>(instruction) || instruction.mayReadOrWriteMemory() ||
      instruction.isTerminator())
    return false;
  return llvm::all_of(instruction.operands(),
                      [&](const llvm::Value *operand) { return is_invariant(*operand, loop, depth - 1); });
}

/// Returns true if `value` is a constant or a conversion of a constant.
bool is_constant(const llvm::Value &value) {
  if (llvm::isa<llvm::Constant>(value)) return true;
  const auto *cast = llvm::dyn_cast<llvm::CastInst>(&value);
  return cast && is_constant(*cast->getOperand(0));
}

/// Returns true for a compare-and-swap: LLVM's instruction, or inline PTX such as "atom.relaxed.gpu.cas".
bool is_compare_and_swap(const Instruction &instruction) {
  if (llvm::isa<llvm::AtomicCmpXchgInst>(instruction)) return true;
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const auto *text = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
  return text && llvm::StringRef(text->getAsmString()).contains(".cas.");
}

/// Returns true if the loop is the retry loop of an atomic update such as `@atomic a[i] /= b`. The user did
/// not write that loop.
bool is_atomic_update(const llvm::Loop &loop) {
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      if (is_compare_and_swap(instruction)) return true;
  return false;
}

/// Returns true if a library function contains both the loop and the division. Both then have the same user
/// statement, which is the call of that function.
bool is_of_library(const Instruction &division, const llvm::Loop &loop) {
  const llvm::DILocation *at = statement_of(division);
  return at && llvm::all_of(loop.blocks(), [&](const llvm::BasicBlock *block) {
           const llvm::DILocation *branch = statement_of(*block->getTerminator());
           return !branch || branch == at;
         });
}

void tell(const Instruction &division, const GpuFacts *gpu, Findings &findings) {
  const llvm::Type *type = division.getType()->getScalarType();
  if (type->isFloatingPointTy()) {
    if (division.getOpcode() == Instruction::FRem) return;
    findings.add(
        "division", division,
        "a loop divides by a value that it does not change, and a division takes as long as several "
        "multiplications",
        "before the loop take the inverse, inverse = 1 / value, and multiply by it in the loop (the last "
        "bit may differ), or write @fastmath a / value");
    return;
  }
  const unsigned bits = type->getIntegerBitWidth();
  const bool is_remainder =
      division.getOpcode() == Instruction::SRem || division.getOpcode() == Instruction::URem;
  std::string cost =
      fmt::format("takes tens of instructions{}", gpu && bits == 64 ? ", above a hundred for Int64" : "");
  findings.add(
      "division", division,
      fmt::format("a loop {} by an integer that it does not change and that is known only at run time: it {}",
                  is_remainder ? "takes the remainder" : "divides", cost),
      fmt::format("count along with the loop instead ({}); make the divisor a constant, Val(n); {}{}",
                  is_remainder ? "k += 1; k == n && (k = 0)" : "a second loop or a counter",
                  is_remainder ? "for a power of two a & (n - 1)" : "for a power of two a >> shift",
                  bits == 64 ? "; or divide UInt32 or Int32" : ""));
}

} // namespace

void find_divisions(const KernelIr &ir, const GpuFacts *gpu, Findings &findings) {
  for (const llvm::Function *function : ir.functions()) {
    const llvm::DominatorTree tree(const_cast<llvm::Function &>(*function));
    const llvm::LoopInfo loops(tree);
    for (const Instruction &instruction : llvm::instructions(*function)) {
      const llvm::Loop *loop = loops.getLoopFor(instruction.getParent());
      if (!loop || !is_division(instruction) || is_cold(*instruction.getParent())) continue;
      const llvm::Value &dividend = *instruction.getOperand(0), &divisor = *instruction.getOperand(1);
      // Only innermost loops are examined, since an outer loop spends most of its time in its inner loops.
      if (loop->isInnermost() && !is_constant(divisor) && is_invariant(divisor, *loop) &&
          !is_invariant(dividend, *loop) && !is_atomic_update(*loop) && !is_of_library(instruction, *loop))
        tell(instruction, gpu, findings);
    }
  }
}

} // namespace kiln
