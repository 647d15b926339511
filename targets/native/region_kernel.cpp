// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel as loops over the threads of a block (work-group loops). The code between two barriers
// (regions.cpp) becomes a loop over the threads (thread_loop.cpp). Branches that decide whether a barrier is
// reached run once, outside these loops. Loops in the kernel that all threads run together are outside too
// (inner_loops.cpp). LLVM vectorises across threads: threads are independent between barriers, so accesses
// are marked as parallel.
//
// A thread that throws ends; the other threads continue.
#include "columns.h"
#include "contexts.h"
#include "dead_ends.h"
#include "inner_loops.h"
#include "narrowing.h"
#include "passes.h"
#include "region_values.h"
#include "regions.h"
#include "stride_loops.h"
#include "thread_loop.h"
#include "tile_width.h"
#include "uniformity.h"

#include <kiln/abi.h>
#include <llvm_support/llvm_support.h>
#include <waits/waits.h>

#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

namespace kiln::native {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

bool only_barriers(llvm::Function &kernel) {
  for (llvm::Function *function : wait_functions(*kernel.getParent()))
    if (wait_kind(*function) != abi::WaitKind::Barrier && next_call(kernel, {function})) return false;
  return true;
}

void run(llvm::FunctionPassManager passes, llvm::Function &kernel) {
  Analyses analyses;
  passes.run(kernel, analyses.functions);
}

class RegionKernel {
public:
  explicit RegionKernel(llvm::Function &kernel, InnerLoops loops = {})
      : kernel_(kernel), ir_(kernel.getContext()), loops_(std::move(loops)), dead_(kernel) {}

  /// Builds regions between barriers.
  bool build() {
    if (!has_plain_stack()) return false;
    split_at_barriers();
    Uniformity uniformity(kernel_);
    std::optional<RegionPlan> plan = plan_regions(kernel_, uniformity, barriers_, loops_.headers);
    if (!plan || !dead_.find()) return false;
    for (llvm::CallInst *barrier : calls_) barrier->eraseFromParent();
    build(*plan, &uniformity);
    return true;
  }
  /// Turns a kernel without barriers into a single region.
  bool build_whole() {
    if (!dead_.find() || dead_.contains(kernel_.getEntryBlock())) return false;
    build(one_region(kernel_, waits::returning_blocks(kernel_)), nullptr);
    return true;
  }

private:
  void build(const RegionPlan &plan, const Uniformity *uniformity) {
    drop_debug_values();
    dead_ends_ = dead_.copy_for(plan);
    make_loops(plan);
    Contexts contexts(*entry_->getTerminator(), kernel_.getArg(0), facts_);
    if (throws_) place_flags(contexts);
    RegionValues values(regions_, uniformity, contexts, *entry_->getTerminator(), loops_.guard);
    values.place();
    lower_none_ended(kernel_, facts_.ended);
    if (regions_.size() > 1) tile_width_ = tile_width(regions_);
    for (unsigned i = 0; i < regions_.size(); ++i) connect(i, values);
    for (LoopedRegion &region : regions_) skip_idle(region);
    llvm::EliminateUnreachableBlocks(kernel_);
    contexts.finish();
  }

  /// True if all arrays on the stack have a fixed size and are allocated in the entry block.
  bool has_plain_stack() const {
    for (Instruction &instruction : llvm::instructions(kernel_))
      if (auto *array = llvm::dyn_cast<llvm::AllocaInst>(&instruction); array && !array->isStaticAlloca())
        return false;
    return true;
  }

  void split_at_barriers() {
    for (llvm::Function *function : wait_functions(*kernel_.getParent()))
      for (Instruction &instruction : llvm::instructions(kernel_))
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
            call && call->getCalledFunction() == function)
          calls_.push_back(call);
    for (llvm::CallInst *call : calls_) {
      barriers_.push_back(call->getParent());
      call->getParent()->splitBasicBlock(call->getNextNode(), "behind");
    }
  }

  void drop_debug_values() {
    for (Instruction &instruction : llvm::instructions(kernel_)) instruction.dropDbgRecords();
  }

  void make_loops(const RegionPlan &plan) {
    std::vector<llvm::CallInst *> reports = let_reporters_return(kernel_);
    throws_ = !reports.empty();
    BasicBlock *first = &kernel_.getEntryBlock();
    entry_ = BasicBlock::Create(kernel_.getContext(), "block", &kernel_, first);
    BasicBlock *returned = BasicBlock::Create(kernel_.getContext(), "block.end", &kernel_);
    ir_.SetInsertPoint(returned);
    returned_ = returned;
    ir_.CreateRetVoid();
    ir_.SetInsertPoint(entry_);
    if (throws_) {
      facts_.ended = ir_.CreateAlloca(ir_.getInt32Ty(), nullptr, "ended");
      ir_.CreateStore(ir_.getInt32(0), facts_.ended);
    }
    Value *ended = facts_.ended;
    facts_ = read_block_facts(ir_, kernel_.getArg(0));
    facts_.ended = ended;
    if (throws_) // placeholder: the address is known after all arrays are laid out
      facts_.ended_flags = ir_.CreateFreeze(llvm::PoisonValue::get(ir_.getPtrTy()), "flags");
    BlockFacts whole_facts = facts_; // for regions without ending threads
    whole_facts.ended = whole_facts.ended_flags = nullptr;
    for (unsigned i = 0; i < plan.regions.size(); ++i) {
      const bool whole = dead_ends_[i].empty() && llvm::is_contained(loops_.whole, plan.regions[i].entry());
      regions_.push_back({plan.regions[i],
                          ThreadLoop(kernel_, whole ? whole_facts : facts_, returned, "region"),
                          dead_ends_[i]});
    }
    ir_.CreateBr(regions_.front().loop.begin);
    for (llvm::CallInst *report : reports)
      for (LoopedRegion &region : regions_)
        if (llvm::is_contained(region.dead_ends, report->getParent())) {
          Instruction *unreachable = report->getParent()->getTerminator();
          llvm::BranchInst::Create(region.loop.threw, unreachable->getIterator());
          unreachable->eraseFromParent();
        }
  }

  void place_flags(Contexts &contexts) {
    auto *before = llvm::cast<Instruction>(facts_.ended_flags);
    facts_.ended_flags = contexts.base(contexts.add(1, llvm::Align(1)));
    before->replaceAllUsesWith(facts_.ended_flags);
    before->eraseFromParent();
  }

  /// Connects a region's blocks to its loop over threads, and the loop to the following region.
  void connect(unsigned index, RegionValues &values) {
    LoopedRegion &region = regions_[index];
    ThreadLoop &loop = region.loop;
    BasicBlock *entry = region.plan.entry();
    if (BasicBlock *block = region.plan.decides) {
      Instruction *end = block->getTerminator();
      ir_.SetInsertPoint(loop.end);
      end->setOperand(0, values.decision(region.plan, ir_));
      llvm::BranchInst::Create(loop.latch, end->getIterator());
      end->moveBefore(*loop.end, loop.end->end());
      for (unsigned i = 0; i < end->getNumSuccessors(); ++i)
        if (LoopedRegion *next = begun_by(end->getSuccessor(i)))
          end->setSuccessor(i, next->loop.begin);
        else
          end->setSuccessor(i, returned_); // impossible
    } else {
      ir_.SetInsertPoint(loop.end);
      LoopedRegion *next = region.plan.next ? begun_by(region.plan.next) : nullptr;
      ir_.CreateBr(next ? next->loop.begin : returned_);
      for (BasicBlock *block : region.plan.blocks) {
        Instruction *end = block->getTerminator();
        for (unsigned i = 0; i < end->getNumSuccessors(); ++i)
          if (next && end->getSuccessor(i) == next->plan.entry()) end->setSuccessor(i, loop.latch);
        if (llvm::isa<llvm::ReturnInst>(end)) {
          llvm::BranchInst::Create(loop.latch, end->getIterator());
          end->eraseFromParent();
        }
      }
    }
    ir_.SetInsertPoint(loop.head);
    if (Value *guard = values.guard(index))
      ir_.CreateCondBr(guard, entry, loop.latch);
    else
      ir_.CreateBr(entry);
    const bool narrowed = narrow_to_workers(loop, region.plan.blocks);
    mark(region, narrowed);
    if (tile_width_ && !narrowed && can_have_width(region)) add_loop_for_width(region, tile_width_);
  }
  /// Removes the loop over threads from a region that only computes a branch decision for all threads.
  void skip_idle(LoopedRegion &region) {
    ThreadLoop &loop = region.loop;
    auto is_idle = [](const BasicBlock *block) {
      return llvm::none_of(*block, [](const Instruction &i) { return i.mayHaveSideEffects(); });
    };
    if (!region.dead_ends.empty() || !is_idle(loop.head) || !llvm::all_of(region.plan.blocks, is_idle))
      return;
    Instruction *begin = loop.begin->getTerminator();
    begin->getSuccessor(0)->removePredecessor(loop.begin, /*KeepOneInputPHIs=*/true);
    begin->setSuccessor(0, loop.end);
  }
  LoopedRegion *begun_by(const BasicBlock *entry) {
    for (LoopedRegion &region : regions_)
      if (region.plan.entry() == entry) return &region;
    return nullptr;
  }

  /// Marks plain accesses as parallel. This is valid because threads that share plain data between barriers
  /// would race. Stores of the region's branch decision are excluded: all threads write the same variable.
  void mark(LoopedRegion &region, bool narrowed) {
    llvm::LLVMContext &context = kernel_.getContext();
    llvm::MDNode *group = llvm::MDNode::getDistinct(context, {});
    std::vector<BasicBlock *> blocks = region.plan.blocks;
    blocks.push_back(region.loop.head);
    for (BasicBlock *block : blocks)
      for (Instruction &instruction : *block)
        if (const Value *address = llvm::getLoadStorePointerOperand(&instruction);
            address && !llvm::isa<llvm::AllocaInst>(address) && !instruction.isAtomic() &&
            !instruction.isVolatile())
          instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
    llvm::Metadata *parallel[] = {llvm::MDString::get(context, "llvm.loop.parallel_accesses"), group};
    // Disable runtime unrolling: after the vector loop only a few threads remain. Interleave by 2 at most:
    // rows of tiles are short, and 16 threads should make a vector iteration, where LLVM would take 32. Do
    // not interleave loops that threads run together, since the processor overlaps their many iterations. Do
    // not interleave 512-bit vectors either: 2 of them would need 32 threads.
    llvm::Metadata *no_unroll[] = {llvm::MDString::get(context, "llvm.loop.unroll.runtime.disable")};
    llvm::Metadata *interleave[] = {
        llvm::MDString::get(context, "llvm.loop.interleave.count"),
        llvm::ConstantAsMetadata::get(ir_.getInt32(loops_.headers.empty() && !has_wide_vectors() ? 2 : 1))};
    llvm::SmallVector<llvm::Metadata *, 4> facts{nullptr, llvm::MDNode::get(context, parallel),
                                                 llvm::MDNode::get(context, no_unroll)};
    if (regions_.size() > 1 && !loops_.long_rows) facts.push_back(llvm::MDNode::get(context, interleave));
    if (narrowed) facts.push_back(llvm::MDNode::get(context, llvm::MDString::get(context, NarrowedLoop)));
    llvm::MDNode *loop = llvm::MDNode::getDistinct(context, facts);
    loop->replaceOperandWith(0, loop);
    region.loop.latch->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, loop);
  }

  bool has_wide_vectors() const {
    return kernel_.getFnAttribute("target-features").getValueAsString().contains("+avx512f");
  }

  llvm::Function &kernel_;
  llvm::IRBuilder<> ir_;
  InnerLoops loops_;
  std::vector<llvm::CallInst *> calls_;
  std::vector<BasicBlock *> barriers_;
  DeadEnds dead_;
  std::vector<std::vector<BasicBlock *>> dead_ends_; ///< per region
  std::vector<LoopedRegion> regions_;
  BlockFacts facts_{};
  bool throws_ = false;
  uint32_t tile_width_ = 0;     ///< width of the kernel's tiles in threads; 0: the kernel has no tiles
  BasicBlock *entry_ = nullptr; ///< dominates every region
  BasicBlock *returned_ = nullptr;
};

bool has_arrays(llvm::Function &kernel) {
  return llvm::any_of(llvm::instructions(kernel), [](const Instruction &instruction) {
    return llvm::isa<llvm::AllocaInst>(instruction);
  });
}

/// Folds branches with constant conditions. Otherwise, a disabled check would make the kernel count as
/// throwing.
void drop_decided_branches(llvm::Function &kernel) {
  bool changed = false;
  for (BasicBlock &block : kernel) {
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    auto *test =
        branch && branch->isConditional() ? llvm::dyn_cast<Instruction>(branch->getCondition()) : nullptr;
    if (!test) continue;
    if (llvm::Constant *known = llvm::ConstantFoldInstruction(test, kernel.getDataLayout()))
      test->replaceAllUsesWith(known);
    changed |= llvm::ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
  }
  if (changed) llvm::EliminateUnreachableBlocks(kernel);
}

bool has_loops(llvm::Function &kernel) {
  llvm::SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 4> back_edges;
  llvm::FindFunctionBackedges(kernel, back_edges);
  return !back_edges.empty();
}

/// Calls `make` on a copy of the kernel. If it succeeds, the copy's body replaces the kernel's.
bool on_a_copy(llvm::Function &kernel, llvm::function_ref<bool(llvm::Function &)> make) {
  llvm::ValueToValueMapTy map;
  llvm::Function *trial = llvm::CloneFunction(&kernel, map);
  const bool done = make(*trial);
  if (done) {
    kernel.dropAllReferences();
    kernel.splice(kernel.begin(), trial);
    for (llvm::Argument &argument : trial->args())
      argument.replaceAllUsesWith(kernel.getArg(argument.getArgNo()));
  }
  trial->eraseFromParent();
  return done;
}

bool make_together_kernel(llvm::Function &kernel) {
  return on_a_copy(kernel, [](llvm::Function &trial) {
    InnerLoops loops =
        run_loops_together(trial, [&](llvm::FunctionPassManager passes) { run(std::move(passes), trial); });
    return !loops.headers.empty() && RegionKernel(trial, loops).build();
  });
}

/// `inlines`: inline functions that throw.
bool make_stride_kernel(const CompilerConfig &config, llvm::Function &kernel, bool inlines) {
  if (config.opt_level < 2 || !may_have_stride_loops(kernel)) return false;
  return on_a_copy(kernel, [&](llvm::Function &trial) {
    if (inlines && !inline_throws(trial)) return false;
    InnerLoops loops;
    loops.long_rows = inlines;
    StrideLoops strides =
        split_stride_loops(trial, [&](llvm::FunctionPassManager passes) { run(std::move(passes), trial); });
    loops.headers = std::move(strides.tops);
    loops.whole = std::move(strides.whole);
    return !loops.headers.empty() && RegionKernel(trial, loops).build();
  });
}

} // namespace

bool make_region_kernel(const CompilerConfig &config, llvm::Function &kernel) {
  if (config.opt_level == 0 || !config.optimize || !only_barriers(kernel)) return false;
  if (config.check || config.interruptible) // the checker must see each barrier; any loop may end a thread
    return false;
  for (llvm::Function *function : wait_functions(*kernel.getParent())) {
    function->addFnAttr(llvm::Attribute::NoDuplicate);
    function->addFnAttr(llvm::Attribute::Convergent);
  }
  run(simplification(), kernel);
  return make_stride_kernel(config, kernel, /*inlines=*/false) || RegionKernel(kernel).build();
}

namespace {

/// True if the index has uses other than exception reports.
bool computes_with(const llvm::Argument &index) {
  return llvm::any_of(index.users(), [](const llvm::User *user) { return !llvm::isa<llvm::CallBase>(user); });
}

bool make_whole(const CompilerConfig &config, llvm::Function &kernel) {
  if (config.optimize && !config.check && !config.interruptible &&
      make_stride_kernel(config, kernel, /*inlines=*/true))
    return true;
  if (config.opt_level >= 2 && config.optimize) drop_decided_branches(kernel);
  // Reject kernels that throw, since a throwing thread returns through the executor. Reject stack arrays,
  // since the loop over threads would share them.
  if (config.opt_level == 0 || !config.optimize || may_throw(kernel) || has_arrays(kernel)) return false;
  if (config.opt_level >= 2 && has_loops(kernel) && make_together_kernel(kernel)) return true;
  return RegionKernel(kernel).build_whole();
}

} // namespace

bool make_whole_kernel(const CompilerConfig &config, llvm::Function &kernel) {
  const bool tries = config.opt_level >= 2 && config.optimize && !config.check && !config.interruptible &&
                     computes_with(*kernel.getArg(ThreadParameter + 1));
  const bool columns = tries && on_a_copy(kernel, [](llvm::Function &trial) {
                         drop_decided_branches(trial); // growth of addresses is then easier to find
                         run(simplification(), trial);
                         return prefers_columns(trial);
                       });
  if (columns) swap_axes(kernel);
  const bool made = make_whole(config, kernel);
  if (columns && !made) swap_axes(kernel);
  return made;
}

} // namespace kiln::native
