// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loop-invariant divisors. A division takes tens of instructions, and more than a hundred for Int64 on a GPU.
// For an invariant divisor most of that can be done once before the loop. Excluded are divisors computed in
// each iteration (inherent in the algorithm), constants (no division in machine code), and divisions of
// invariants (the optimiser hoists them).
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
  // With reciprocals allowed, LLVM computes one itself.
  return (i.getOpcode() == Instruction::FDiv || i.getOpcode() == Instruction::FRem) &&
         !i.hasAllowReciprocal();
}

/// True if the loop does not change the value, even if the optimiser has not hoisted it yet.
bool is_invariant(const llvm::Value &value, const llvm::Loop &loop, unsigned depth = max_depth) {
  if (loop.isLoopInvariant(&value)) return true;
  const auto &instruction = llvm::cast<Instruction>(value);
  if (depth == 0 || llvm::isa<llvm::PHINode>(instruction) || instruction.mayReadOrWriteMemory() ||
      instruction.isTerminator())
    return false;
  return llvm::all_of(instruction.operands(),
                      [&](const llvm::Value *operand) { return is_invariant(*operand, loop, depth - 1); });
}

/// True if the value is a constant behind conversions and selects.
bool is_constant(const llvm::Value &value) {
  if (llvm::isa<llvm::Constant>(value)) return true;
  const auto *cast = llvm::dyn_cast<llvm::CastInst>(&value);
  return cast && is_constant(*cast->getOperand(0));
}

/// Compare-and-swap of LLVM, or a PTX one with order and scope: "atom.relaxed.gpu.cas".
bool is_compare_and_swap(const Instruction &instruction) {
  if (llvm::isa<llvm::AtomicCmpXchgInst>(instruction)) return true;
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const auto *text = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
  return text && llvm::StringRef(text->getAsmString()).contains(".cas.");
}

/// A retry loop of an atomic update, as for `@atomic a[i] /= b`: the user wrote no loop.
bool is_atomic_update(const llvm::Loop &loop) {
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      if (is_compare_and_swap(instruction)) return true;
  return false;
}

/// True if a library function divides in its own loop: both have the place of one call.
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
      // Innermost loops only: outer loops spend their time in inner ones.
      if (loop->isInnermost() && !is_constant(divisor) && is_invariant(divisor, *loop) &&
          !is_invariant(dividend, *loop) && !is_atomic_update(*loop) && !is_of_library(instruction, *loop))
        tell(instruction, gpu, findings);
    }
  }
}

} // namespace kiln
