// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile_width.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <map>

namespace kiln::native {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::Instruction;
using llvm::Value;

namespace {

/// Widths of rows in threads. Narrower rows are not worth a vector; wider rows do not fit into registers.
constexpr uint64_t min_width = 8, MaxWidth = 32;
/// Maximum number of instructions. Compiling a larger region twice costs more time than it saves.
constexpr size_t max_tile_instructions = 200;

/// True if the value is y plus or minus a constant.
bool is_row(const Value *value, const Value *y, unsigned depth = 0) {
  if (value == y) return true;
  auto *instruction = llvm::dyn_cast<Instruction>(value);
  if (!instruction || depth > 4) return false;
  if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction))
    return is_row(instruction->getOperand(0), y, depth + 1);
  const bool sum =
      instruction->getOpcode() == Instruction::Add || instruction->getOpcode() == Instruction::Sub;
  return sum && llvm::isa<llvm::ConstantInt>(instruction->getOperand(1)) &&
         is_row(instruction->getOperand(0), y, depth + 1);
}

uint64_t factor_of_row(const Instruction &instruction, const Value *y) {
  const unsigned opcode = instruction.getOpcode();
  if (opcode != Instruction::Mul && opcode != Instruction::Shl) return 0;
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
  if (!constant || constant->getValue().getActiveBits() > 16 || !is_row(instruction.getOperand(0), y))
    return 0;
  const uint64_t factor = constant->getZExtValue();
  return opcode == Instruction::Mul ? factor : factor < 16 ? uint64_t(1) << factor : 0;
}

bool has_loop(const Region &region) {
  std::map<const BasicBlock *, size_t> order; // never iterated
  for (BasicBlock *block : region.blocks)     // in reverse post-order
    order.emplace(block, order.size());
  return llvm::any_of(region.blocks, [&](BasicBlock *block) {
    return llvm::any_of(llvm::successors(block), [&](BasicBlock *next) {
      auto found = order.find(next);
      return found != order.end() && found->second <= order.at(block);
    });
  });
}

} // namespace

uint32_t tile_width(const std::vector<LoopedRegion> &regions) {
  for (const LoopedRegion &region : regions) {
    if (!has_loop(region.plan)) continue;
    std::vector<const BasicBlock *> blocks(region.plan.blocks.begin(), region.plan.blocks.end());
    blocks.push_back(region.loop.head);
    for (const BasicBlock *block : blocks)
      for (const Instruction &instruction : *block)
        if (uint64_t width = factor_of_row(instruction, region.loop.y);
            width >= min_width && width <= MaxWidth)
          return uint32_t(width);
  }
  return 0;
}

bool can_have_width(const LoopedRegion &region) {
  size_t instructions = 0;
  for (const BasicBlock *block : region.plan.blocks) instructions += block->size();
  return region.dead_ends.empty() && !region.loop.threw && instructions <= max_tile_instructions;
}

void add_loop_for_width(LoopedRegion &region, uint32_t width) {
  ThreadLoop &loop = region.loop;
  BasicBlock *row_end = loop.latch->getTerminator()->getSuccessor(1);
  std::vector<BasicBlock *> blocks{loop.row, loop.head};
  blocks.insert(blocks.end(), region.plan.blocks.begin(), region.plan.blocks.end());
  blocks.insert(blocks.end(), {loop.latch, row_end});
  llvm::ValueToValueMapTy map;
  llvm::SmallVector<BasicBlock *, 8> copies;
  for (BasicBlock *block : blocks) {
    copies.push_back(llvm::CloneBasicBlock(block, map, ".tile", loop.row->getParent()));
    map[block] = copies.back();
  }
  llvm::remapInstructionsInBlocks(copies, map);
  auto copy_of = [&](BasicBlock *block) { return llvm::cast<BasicBlock>(&*map[block]); };

  // Both loops have the same predecessors. The test of the width precedes all rows.
  Instruction *begin = loop.begin->getTerminator();
  llvm::IRBuilder<> ir(begin);
  Value *fits = ir.CreateICmpEQ(loop.limit, ir.getInt32(width));
  llvm::ReplaceInstWithInst(begin, BranchInst::Create(copy_of(loop.row), loop.row, fits));
  llvm::ReplaceInstWithInst(copy_of(loop.row)->getTerminator(), BranchInst::Create(copy_of(loop.head)));

  auto *latch = llvm::cast<BranchInst>(copy_of(loop.latch)->getTerminator());
  auto *counter = llvm::cast<llvm::PHINode>(&*map[loop.counter]);
  ir.SetInsertPoint(latch);
  latch->setCondition(
      ir.CreateICmpULT(counter->getIncomingValueForBlock(latch->getParent()), ir.getInt32(width)));
  for (BasicBlock *back : {latch->getParent(), copy_of(row_end)})
    if (llvm::MDNode *facts = back->getTerminator()->getMetadata(llvm::LLVMContext::MD_loop)) {
      llvm::SmallVector<llvm::Metadata *, 4> operands(facts->op_begin(), facts->op_end());
      llvm::MDNode *own = llvm::MDNode::getDistinct(back->getContext(), operands);
      own->replaceOperandWith(0, own);
      back->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, own);
    }
}

} // namespace kiln::native
