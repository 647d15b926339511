// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "uniformity.h"

#include "inner_loops.h"

#include <waits/waits.h>

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace kiln::native {

using llvm::BasicBlock;
using llvm::Instruction;

bool is_thread_index(const llvm::Value &value) {
  auto *argument = llvm::dyn_cast<llvm::Argument>(&value);
  return argument && argument->getArgNo() >= ThreadParameter && argument->getArgNo() < StateParameters;
}

bool is_invariant_load(const Instruction &instruction) {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  if (!load || !load->isSimple()) return false;
  auto *global = llvm::dyn_cast<llvm::GlobalVariable>(load->getPointerOperand()->stripInBoundsOffsets());
  return load->hasMetadata(llvm::LLVMContext::MD_invariant_load) || (global && global->isConstant());
}

namespace {

/// Tells LLVM's uniformity analysis which values differ between threads.
class BlockThreads : public llvm::TargetTransformInfoImplCRTPBase<BlockThreads> {
public:
  explicit BlockThreads(const llvm::DataLayout &layout) : TargetTransformInfoImplCRTPBase(layout) {}

  bool hasBranchDivergence(const llvm::Function *) const override { return true; }
  llvm::InstructionUniformity getInstructionUniformity(const llvm::Value *value) const override {
    if (is_any_thread(value)) return llvm::InstructionUniformity::AlwaysUniform;
    return differs(value) ? llvm::InstructionUniformity::NeverUniform : llvm::InstructionUniformity::Default;
  }

private:
  /// True if threads with equal operands may get different results from the instruction.
  static bool differs(const llvm::Value *value) {
    auto *instruction = llvm::dyn_cast<Instruction>(value);
    if (!instruction) return is_thread_index(*value);
    if (llvm::isa<llvm::AllocaInst>(instruction)) return true;
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(instruction))
      return !call->doesNotAccessMemory() || call->isConvergent();
    return instruction->mayReadOrWriteMemory() && !is_invariant_load(*instruction);
  }
};

} // namespace

struct Uniformity::Analyses {
  explicit Analyses(llvm::Function &function) {
    manager.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
    manager.registerPass([] { return llvm::DominatorTreeAnalysis(); });
    manager.registerPass([] { return llvm::PostDominatorTreeAnalysis(); });
    manager.registerPass([] { return llvm::CycleAnalysis(); });
    manager.registerPass([] { return llvm::UniformityInfoAnalysis(); });
    manager.registerPass([] {
      return llvm::TargetIRAnalysis([](const llvm::Function &f) {
        return llvm::TargetTransformInfo(std::make_unique<BlockThreads>(f.getParent()->getDataLayout()));
      });
    });
    post_dominators = &manager.getResult<llvm::PostDominatorTreeAnalysis>(function);
    uniformity = &manager.getResult<llvm::UniformityInfoAnalysis>(function);
  }
  llvm::FunctionAnalysisManager manager;
  llvm::PostDominatorTree *post_dominators;
  llvm::UniformityInfo *uniformity;
};

Uniformity::Uniformity(llvm::Function &kernel) {
  llvm::ValueToValueMapTy map;
  copy_ = llvm::CloneFunction(&kernel, map);
  drop_dead_ends();
  for (BasicBlock &block : kernel) {
    auto *copy = llvm::cast_or_null<BasicBlock>(map.lookup(&block));
    if (!copy) continue;
    copies_[&block] = copy;
    originals_[copy] = &block;
    for (Instruction &instruction : block)
      if (llvm::Value *value = map.lookup(&instruction)) copies_[&instruction] = value;
  }
  if (copy_->empty()) return;
  analyses_ = std::make_unique<Analyses>(*copy_);
  find_deciders();
}

Uniformity::~Uniformity() {
  analyses_.reset();
  copy_->eraseFromParent();
}

/// Removes dead ends (blocks without a path to a return) from the copy of the kernel.
void Uniformity::drop_dead_ends() {
  const std::set<const BasicBlock *> live = waits::returning_blocks(*copy_);
  if (!live.count(&copy_->getEntryBlock())) {
    copy_->deleteBody();
    return;
  }
  for (BasicBlock &block : *copy_) {
    Instruction *end = block.getTerminator();
    BasicBlock *stays = nullptr;
    for (BasicBlock *next : llvm::successors(&block))
      if (!stays && live.count(next)) stays = next;
    if (!live.count(&block) || !stays) continue;
    // Redirect edges that lead to dead ends to a successor that the block already has, so that no new path
    // appears.
    bool only = true;
    for (BasicBlock *next : llvm::successors(&block)) only &= next == stays || !live.count(next);
    if (only) {
      bool kept = false;
      for (BasicBlock *next : llvm::successors(&block)) {
        if (next != stays || kept) next->removePredecessor(&block, /*KeepOneInputPHIs=*/true);
        kept |= next == stays;
      }
      llvm::BranchInst::Create(stays, end->getIterator());
      end->eraseFromParent();
      continue;
    }
    for (unsigned i = 0; i < end->getNumSuccessors(); ++i)
      if (BasicBlock *next = end->getSuccessor(i); !live.count(next)) {
        next->removePredecessor(&block, /*KeepOneInputPHIs=*/true);
        for (llvm::PHINode &phi : stays->phis())
          phi.addIncoming(phi.getIncomingValueForBlock(&block), &block);
        end->setSuccessor(i, stays);
      }
  }
  llvm::EliminateUnreachableBlocks(*copy_, nullptr, /*KeepOneInputPHIs=*/true);
}

void Uniformity::find_deciders() {
  const llvm::PostDominatorTree &tree = *analyses_->post_dominators;
  for (BasicBlock &block : *copy_) {
    if (block.getTerminator()->getNumSuccessors() < 2) continue;
    const auto *stop = tree.getNode(&block)->getIDom();
    for (BasicBlock *next : llvm::successors(&block))
      for (const auto *node = tree.getNode(next); node && node != stop && node->getBlock();
           node = node->getIDom()) {
        std::vector<BasicBlock *> &found = deciders_[originals_.at(node->getBlock())];
        BasicBlock *decider = originals_.at(&block);
        if (found.empty() || found.back() != decider) found.push_back(decider);
      }
  }
}

const BasicBlock *Uniformity::copy_of(const BasicBlock *block) const {
  auto found = copies_.find(block);
  return found == copies_.end() ? nullptr : llvm::cast<BasicBlock>(found->second);
}

bool Uniformity::is_uniform(const Instruction &instruction) const {
  auto found = copies_.find(&instruction);
  return found != copies_.end() && !analyses_->uniformity->isDivergent(found->second);
}

bool Uniformity::ends_uniformly(const BasicBlock *block) const {
  const BasicBlock *copy = copy_of(block);
  return copy && !analyses_->uniformity->hasDivergentTerminator(*copy);
}

const std::vector<BasicBlock *> &Uniformity::deciders(const BasicBlock *block) const {
  static const std::vector<BasicBlock *> none;
  auto found = deciders_.find(block);
  return found == deciders_.end() ? none : found->second;
}

} // namespace kiln::native
