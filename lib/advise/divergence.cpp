// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "divergence.h"

#include <llvm/Analysis/IteratedDominanceFrontier.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace kiln {
namespace {

constexpr llvm::StringLiteral register_prefix = "llvm.nvvm.read.ptx.sreg.";

bool is_same_register(llvm::StringRef name) {
  return name.starts_with("ctaid.") || name.starts_with("nctaid.") || name.starts_with("ntid.") ||
         name == "tid.y" || name == "tid.z" || name == "warpsize";
}

} // namespace

llvm::StringRef special_register(const llvm::Value &value) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&value);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->getName().starts_with(register_prefix)) return {};
  return callee->getName().drop_front(register_prefix.size());
}

Divergence::Divergence(const llvm::Function &function, const llvm::DominatorTree &tree,
                       const llvm::LoopInfo &loops)
    : function_(function), tree_(tree), loops_(loops) {
  find();
}

bool Divergence::may_differ(const llvm::Instruction &instruction) const {
  const llvm::StringRef read = special_register(instruction);
  if (!read.empty()) return !is_same_register(read);
  if (llvm::isa<llvm::PHINode>(instruction) && joins_.contains(instruction.getParent())) return true;
  if (llvm::isa<llvm::AllocaInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::InvokeInst>(
          instruction))
    return true;
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    const llvm::Value *object = llvm::getUnderlyingObject(load->getPointerOperand());
    if (load->isVolatile() || load->isAtomic() || llvm::isa<llvm::AllocaInst>(object)) return true;
  }
  if (const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      call && !(llvm::isa<llvm::IntrinsicInst>(call) && call->doesNotAccessMemory() && !call->isConvergent()))
    return true;
  return llvm::any_of(instruction.operands(), [&](const llvm::Value *operand) {
    const auto *made = llvm::dyn_cast<llvm::Instruction>(operand);
    return differs(*operand) || (made && !is_uniform_at(*made, *instruction.getParent()));
  });
}

bool Divergence::leaves_together(const llvm::Loop &loop) const {
  llvm::SmallVector<llvm::BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  return llvm::none_of(exiting, [&](const llvm::BasicBlock *block) {
    const llvm::Instruction &branch = *block->getTerminator();
    return branch.getNumOperands() == 0 || differs(*branch.getOperand(0));
  });
}

bool Divergence::is_uniform_at(const llvm::Value &value, const llvm::BasicBlock &user) const {
  if (differs(value)) return false;
  // A basic block as a value represents the number of iterations of the loop that starts with it.
  const auto *block = llvm::dyn_cast<llvm::BasicBlock>(&value);
  if (const auto *made = llvm::dyn_cast<llvm::Instruction>(&value)) block = made->getParent();
  for (const llvm::Loop *loop = block ? loops_.getLoopFor(block) : nullptr; loop;
       loop = loop->getParentLoop())
    if (!loop->contains(&user) && !leaves_together(*loop)) return false;
  return true;
}

void Divergence::join_after(const llvm::Instruction &branch) {
  if (!known_branches_.insert(&branch).second) return;
  llvm::SmallPtrSet<llvm::BasicBlock *, 4> successors;
  for (unsigned i = 0; i < branch.getNumSuccessors(); i++) successors.insert(branch.getSuccessor(i));
  llvm::ForwardIDFCalculator frontier(const_cast<llvm::DominatorTree &>(tree_));
  frontier.setDefiningBlocks(successors);
  llvm::SmallVector<llvm::BasicBlock *, 8> joins;
  frontier.calculate(joins);
  joins_.insert(joins.begin(), joins.end());
}

void Divergence::find() {
  // Parameters of a kernel's entry are uniform. Parameters of a called function may differ between threads.
  if (!function_.hasFnAttribute("kiln.entry"))
    for (const llvm::Argument &argument : function_.args()) differing_.insert(&argument);
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Instruction &instruction : llvm::instructions(function_)) {
      if (instruction.isTerminator()) {
        const bool splits = instruction.getNumSuccessors() > 1 && differs(*instruction.getOperand(0));
        if (splits && !known_branches_.contains(&instruction)) {
          join_after(instruction);
          changed = true;
        }
      } else if (!differs(instruction) && may_differ(instruction)) {
        changed = differing_.insert(&instruction).second || changed;
      }
    }
  }
}

} // namespace kiln
