// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that coarsening keeps each bit of a kernel's results. Code generation fuses products and sums
// (docs/design/emission.md), in one basic block at a time. In a sum of two products, it fuses the product
// whose result has fewer uses. The elements of a thread share operations on scalars, and on values that two
// elements read. The result of a shared operation has more uses than in a thread with one element. If that
// could decide which product is rounded, the kernel is not coarsened.
#include "coarsen.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

namespace kiln::ptx {
namespace {

bool is_sum(const llvm::Instruction &instruction) {
  return instruction.getOpcode() == llvm::Instruction::FAdd ||
         instruction.getOpcode() == llvm::Instruction::FSub;
}

/// Finds the product that an operand of a sum is, apart from sign and width conversions. Null: the operand is
/// no product.
const llvm::Instruction *product_in(const llvm::Value *operand) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(operand);
  while (instruction && (instruction->getOpcode() == llvm::Instruction::FNeg ||
                         instruction->getOpcode() == llvm::Instruction::FPExt))
    instruction = llvm::dyn_cast<llvm::Instruction>(instruction->getOperand(0));
  return instruction && instruction->getOpcode() == llvm::Instruction::FMul ? instruction : nullptr;
}

/// Returns true if the operand is a product of another basic block, also through phis. Only the assembler
/// might fuse such a product through phis.
bool is_product_of_other_block(const llvm::Value *operand, const llvm::BasicBlock &block, int depth = 0) {
  if (const llvm::Instruction *product = product_in(operand)) return product->getParent() != &block;
  auto *phi = llvm::dyn_cast<llvm::PHINode>(operand);
  if (!phi || depth == 4) return phi != nullptr;
  for (const llvm::Value *incoming : phi->incoming_values())
    if (is_product_of_other_block(incoming, block, depth + 1)) return true;
  return false;
}

/// Returns true if code generation fuses the operand with its sum regardless of other uses in the block.
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
  // Values that depend on loads of a single element. All other values count as shared by the elements. So
  // does a value whose block comes before the values that it depends on.
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
