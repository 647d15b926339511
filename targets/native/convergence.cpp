// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reconvergence of warps in coroutine kernels. On a GPU, the threads of a warp end a condition or an
// iteration together. Published kernels exchange values through shared memory there without a barrier. A
// thread of a coroutine kernel would run on, and use shared memory before the other threads of its warp. So
// places where threads converge get a wait (abi::WaitKind::ActiveMask) if shared memory is used before and
// after them. The same holds for a load after a store in code without branches.
#include "passes.h"

#include <kiln/abi.h>

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <set>

namespace kiln::native {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;

struct Accesses {
  bool any = false, writes = false;
};

/// True if the pointer may be derived from the address of the block's shared memory.
bool may_be_shared(const llvm::Value *pointer, const llvm::DataLayout &layout) {
  llvm::SmallVector<const llvm::Value *, 4> objects;
  llvm::getUnderlyingObjects(pointer, objects);
  return llvm::any_of(objects, [&](const llvm::Value *object) {
    auto *load = llvm::dyn_cast<llvm::LoadInst>(object);
    if (!load) return false;
    llvm::APInt offset(64, 0);
    const llvm::Value *base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(
        layout, offset, /*AllowNonInbounds=*/true);
    return base == load->getFunction()->getArg(0) && offset == offsetof(abi::NativeThread, shared);
  });
}

/// Collects the accesses of shared memory on the paths from some blocks to the nearest waits.
class Paths {
public:
  explicit Paths(const Functions &waits) : waits_(waits) {}

  /// `enters(block)`: true if the path may continue in this block.
  template <class Enters> Accesses forward(BasicBlock &first, Enters &&enters) {
    walk({&first}, [&](BasicBlock &block) {
      return scan(block) ? blocks(llvm::successors(&block), enters) : std::vector<BasicBlock *>();
    });
    return accesses_;
  }
  template <class Enters> Accesses backward(std::vector<BasicBlock *> last, Enters &&enters) {
    walk(std::move(last), [&](BasicBlock &block) {
      return scan(llvm::reverse(block)) ? blocks(llvm::predecessors(&block), enters)
                                        : std::vector<BasicBlock *>();
    });
    return accesses_;
  }
  bool has_wait() const { return has_wait_; }

private:
  template <class Next> void walk(std::vector<BasicBlock *> pending, Next &&next) {
    std::set<const BasicBlock *> seen; // never iterated
    while (!pending.empty()) {
      BasicBlock *block = pending.back();
      pending.pop_back();
      if (!seen.insert(block).second) continue;
      for (BasicBlock *other : next(*block)) pending.push_back(other);
    }
  }
  template <class Range, class Enters> std::vector<BasicBlock *> blocks(Range &&range, Enters &&enters) {
    std::vector<BasicBlock *> found;
    for (BasicBlock *block : range)
      if (enters(*block)) found.push_back(block);
    return found;
  }

  /// Notes the accesses up to the first wait. Returns false if there is a wait.
  template <class Instructions> bool scan(Instructions &&instructions) {
    for (const Instruction &instruction : instructions) {
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && waits_.count(call->getCalledFunction())) {
        has_wait_ = true;
        return false;
      }
      const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer || !may_be_shared(pointer, instruction.getDataLayout())) continue;
      accesses_.any = true;
      accesses_.writes |= llvm::isa<llvm::StoreInst>(instruction);
    }
    return true;
  }

  const Functions &waits_;
  Accesses accesses_;
  bool has_wait_ = false;
};

bool may_conflict(const Accesses &before, const Accesses &after) {
  return before.any && after.any && (before.writes || after.writes);
}

class Convergence {
public:
  explicit Convergence(llvm::Function &kernel) : kernel_(kernel), ir_(kernel.getContext()) {
    llvm::Type *i32 = ir_.getInt32Ty(), *i64 = ir_.getInt64Ty();
    wait_ = kernel.getParent()->getOrInsertFunction("kiln.wait.active", i64, i32, i32, i64);
    for (llvm::Function *function : wait_functions(*kernel.getParent())) waits_.insert(function);
  }

  void add() {
    llvm::DominatorTree dominators(kernel_);
    llvm::LoopInfo loops(dominators);
    for (llvm::Loop *loop : loops.getLoopsInPreorder()) add_at_end(*loop, dominators, loops);
    for (llvm::Loop *loop : loops.getLoopsInPreorder()) add_behind(*loop);
    llvm::ReversePostOrderTraversal<llvm::Function *> order(&kernel_);
    for (BasicBlock *block : order)
      if (llvm::pred_size(block) > 1 && !loops.isLoopHeader(block)) add_at_join(*block, dominators);
    llvm::DenseMap<const BasicBlock *, const llvm::Value *> stored; // looked up only
    for (BasicBlock *block : order) {
      const BasicBlock *before = block->getUniquePredecessor();
      stored[block] = add_before_loads(*block, before ? stored.lookup(before) : nullptr);
    }
  }

private:
  /// The end of an iteration: a thread's next iteration must not change what other threads use in this one.
  void add_at_end(llvm::Loop &loop, llvm::DominatorTree &dominators, llvm::LoopInfo &loops) {
    llvm::SmallVector<BasicBlock *, 4> latches;
    loop.getLoopLatches(latches);
    BasicBlock *header = loop.getHeader();
    Paths first(waits_), last(waits_);
    const Accesses after =
        first.forward(*header, [&](BasicBlock &block) { return loop.contains(&block) && &block != header; });
    const Accesses before = last.backward({latches.begin(), latches.end()},
                                          [&](BasicBlock &block) { return loop.contains(&block); });
    if (!first.has_wait() || !may_conflict(before, after)) return;
    // One place for all latches, so that the threads wait together.
    const llvm::DebugLoc at = latches.front()->getTerminator()->getDebugLoc();
    BasicBlock *end = llvm::SplitBlockPredecessors(header, latches, ".converge", &dominators, &loops);
    add_before(*end->getTerminator(), at);
  }

  /// The code after a loop that threads leave in different iterations.
  void add_behind(llvm::Loop &loop) {
    llvm::SmallVector<BasicBlock *, 4> exits, leaving;
    loop.getUniqueExitBlocks(exits);
    loop.getExitingBlocks(leaving);
    const Accesses before = Paths(waits_).backward({leaving.begin(), leaving.end()},
                                                   [&](BasicBlock &block) { return loop.contains(&block); });
    for (BasicBlock *exit : exits) add_before_accesses(*exit, before);
  }

  /// The block where the sides of a condition meet.
  void add_at_join(BasicBlock &join, const llvm::DominatorTree &dominators) {
    const BasicBlock *branch = dominators.getNode(&join)->getIDom()->getBlock();
    std::vector<BasicBlock *> sides;
    for (BasicBlock *side : llvm::predecessors(&join))
      if (side != branch) sides.push_back(side);
    const Accesses before = Paths(waits_).backward(
        std::move(sides), [&](BasicBlock &block) { return &block != branch && &block != &join; });
    add_before_accesses(join, before);
  }

  /// Loads after a store to another address: the value may be one that another thread stores. `stored`: the
  /// address of a store before the block that no wait follows. Returns that of the block's end.
  const llvm::Value *add_before_loads(BasicBlock &block, const llvm::Value *stored) {
    std::vector<Instruction *> loads;
    for (Instruction &instruction : block) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call && waits_.count(call->getCalledFunction())) stored = nullptr;
      const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer || !may_be_shared(pointer, instruction.getDataLayout())) continue;
      if (llvm::isa<llvm::StoreInst>(instruction)) {
        stored = pointer;
      } else if (stored && stored != pointer) {
        loads.push_back(&instruction);
        stored = nullptr;
      }
    }
    for (Instruction *load : loads) add_before(*load, load->getDebugLoc());
    return stored;
  }

  void add_before_accesses(BasicBlock &block, const Accesses &before) {
    if (!before.any) return;
    const Accesses after = Paths(waits_).forward(block, [](BasicBlock &) { return true; });
    if (may_conflict(before, after))
      add_before(*block.getFirstNonPHIIt(), block.getTerminator()->getDebugLoc());
  }

  void add_before(Instruction &instruction, const llvm::DebugLoc &at) {
    ir_.SetInsertPoint(&instruction);
    ir_.SetCurrentDebugLocation(at);
    ir_.CreateCall(wait_, {ir_.getInt32(0), ir_.getInt32(0), ir_.getInt64(0)});
  }

  llvm::Function &kernel_;
  llvm::IRBuilder<> ir_;
  llvm::FunctionCallee wait_;
  Functions waits_;
};

bool accesses_shared_memory(llvm::Function &kernel) {
  return llvm::any_of(llvm::instructions(kernel), [](const Instruction &instruction) {
    const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
    return pointer && may_be_shared(pointer, instruction.getDataLayout());
  });
}

} // namespace

void converge_warps(llvm::Function &kernel) {
  if (accesses_shared_memory(kernel)) Convergence(kernel).add();
}

} // namespace kiln::native
