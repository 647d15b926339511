// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products and sums fuse in code generation (docs/design/emission.md), which looks at the operations of a
// block. Of a sum of two products it fuses the one whose result is used less often. Elements of a thread that
// compute the same, of scalars or of what two of them read, share that operation and use its result more
// often than one element does: where that could decide which product is rounded, a thread with several
// elements would not give the same bits.
#include "coarsen.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

namespace kiln::ptx {
namespace {

bool is_sum(const llvm::Instruction &instruction) {
  return instruction.getOpcode() == llvm::Instruction::FAdd ||
         instruction.getOpcode() == llvm::Instruction::FSub;
}

/// The product that an operand of a sum is, but for its sign and width; null: it is none.
const llvm::Instruction *product_in(const llvm::Value *operand) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(operand);
  while (instruction && (instruction->getOpcode() == llvm::Instruction::FNeg ||
                         instruction->getOpcode() == llvm::Instruction::FPExt))
    instruction = llvm::dyn_cast<llvm::Instruction>(instruction->getOperand(0));
  return instruction && instruction->getOpcode() == llvm::Instruction::FMul ? instruction : nullptr;
}

/// The same behind phis of other blocks, which only an assembler might see through.
bool is_product_of_other_block(const llvm::Value *operand, const llvm::BasicBlock &block, int depth = 0) {
  if (const llvm::Instruction *product = product_in(operand)) return product->getParent() != &block;
  auto *phi = llvm::dyn_cast<llvm::PHINode>(operand);
  if (!phi || depth == 4) return phi != nullptr;
  for (const llvm::Value *incoming : phi->incoming_values())
    if (is_product_of_other_block(incoming, block, depth + 1)) return true;
  return false;
}

/// Fused with its sum, whatever stands around the two.
bool fuses_here(const llvm::Value *operand, const llvm::BasicBlock &block) {
  if (is_product_of_other_block(operand, block)) return false;
  const llvm::Instruction *product = product_in(operand);
  return !product || product->hasOneUse();
}

} // namespace

bool rounds_within_blocks(const llvm::Function &entry) {
  for (const llvm::Instruction &instruction : llvm::instructions(entry))
    if (is_sum(instruction) && (!fuses_here(instruction.getOperand(0), *instruction.getParent()) ||
                                !fuses_here(instruction.getOperand(1), *instruction.getParent())))
      return false;
  return true;
}

bool contracts_alike(const CoarseKernel &kernel, std::string &why_not) {
  auto refuse = [&](const char *why) {
    why_not = why;
    return false;
  };
  // What no two elements have in common: it depends on what one of them alone reads. A value of a block that
  // stands in front of what it depends on counts as common.
  llvm::DenseSet<const llvm::Value *> own;
  for (const Access &access : kernel.accesses)
    if (llvm::isa<llvm::LoadInst>(access.at) && kernel.facts.arrays[access.array].stride)
      own.insert(access.at);
  for (const llvm::Instruction &instruction : llvm::instructions(*kernel.entry)) {
    bool is_own = own.contains(&instruction);
    for (const llvm::Use &operand : instruction.operands()) is_own |= own.contains(operand.get());
    if (is_own) own.insert(&instruction);
    auto *operation = llvm::dyn_cast<llvm::FPMathOperator>(&instruction);
    if (!operation) continue;
    const llvm::FastMathFlags flags = operation->getFastMathFlags();
    if (!is_own && (flags.allowReassoc() || flags.allowReciprocal() || flags.approxFunc()) &&
        !instruction.use_empty())
      return refuse("under fast math, what its elements have in common rounds by how often it is used");
    if (instruction.getOpcode() == llvm::Instruction::FDiv && flags.allowReciprocal() &&
        !own.contains(instruction.getOperand(1)))
      return refuse(
          "under fast math, divisions by what its elements have in common round by how many there are");
    if (!is_sum(instruction)) continue;
    const llvm::Value *a = instruction.getOperand(0), *b = instruction.getOperand(1);
    if (is_product_of_other_block(a, *instruction.getParent()) ||
        is_product_of_other_block(b, *instruction.getParent()))
      return refuse(
          "a sum takes a product of another block: whether the two are rounded as one is not known");
    const llvm::Instruction *first = product_in(a), *second = product_in(b);
    if (first && second && (!own.contains(first) || !own.contains(second)))
      return refuse(
          "a sum takes two products, of which its elements may have one in common: which of them is "
          "rounded depends on how often each is used");
  }
  return true;
}

} // namespace kiln::ptx
