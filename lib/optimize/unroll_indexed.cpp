// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unroll_indexed.h"

#include <llvm_support/llvm_support.h>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace kiln {
namespace {

using llvm::BasicBlock;

/// Maximum size of an array that fits into a thread's registers: 255 registers of four bytes.
constexpr uint64_t max_bytes = 1024;
/// Maximum instructions of a function's loops after unrolling: half of a function's limit for full
/// optimisation.
constexpr uint64_t max_unrolled_instructions = max_instructions_of_function / 2;

/// Metadata of an array that stays in memory: the number of instructions that unrolling would have made.
constexpr const char *LeftInMemory = "kiln.left_in_memory";

class IndexedLoops {
public:
  IndexedLoops(llvm::Function &function, llvm::FunctionAnalysisManager &analyses)
      : loops_(analyses.getResult<llvm::LoopAnalysis>(function)),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)), function_(function) {}

  /// Marks the loops that LLVM's unroll pass shall unroll completely. Returns false if there are none.
  bool mark() {
    if (loops_.empty()) return false;
    const llvm::DataLayout &layout = function_.getDataLayout();
    for (llvm::Instruction &instruction : function_.getEntryBlock())
      if (auto *array = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
        const auto size = array->getAllocationSize(layout);
        if (size && !size->isScalable()) examine(*array, size->getFixedValue());
      }
    for (llvm::Loop *loop : unrolled_) llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.full", 1);
    return !unrolled_.empty();
  }

private:
  /// Adds the loops on which the indices into `array` depend, if all of them can be unrolled.
  void examine(llvm::AllocaInst &array, uint64_t bytes) {
    llvm::SmallVector<llvm::Value *, 8> pointers{&array};
    llvm::SmallPtrSet<llvm::Loop *, 8> wanted;
    while (!pointers.empty())
      for (llvm::User *user : pointers.pop_back_val()->users()) {
        auto *step = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
        if (!step) continue;
        pointers.push_back(step);
        for (llvm::Value *index : step->indices())
          if (!llvm::isa<llvm::Constant>(index) &&
              !add_loops_of(evolution_.getSCEV(index), loops_.getLoopFor(step->getParent()), wanted))
            return; // the array stays in memory even if loops are unrolled
      }
    if (wanted.empty()) return;
    wanted.insert(unrolled_.begin(), unrolled_.end());
    uint64_t size = 0;
    for (llvm::Loop *outermost : loops_) size += size_of(*outermost, wanted);
    if (bytes > max_bytes || size > max_unrolled_instructions)
      mark_as_left(array, size);
    else
      unrolled_ = std::move(wanted);
  }

  static void mark_as_left(llvm::AllocaInst &array, uint64_t instructions) {
    llvm::LLVMContext &context = array.getContext();
    auto *number = llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), instructions);
    array.setMetadata(LeftInMemory, llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(number)));
  }

  /// Adds the loops whose unrolling makes an index constant: `innermost` and loops around it. Returns false
  /// if unrolling cannot make it constant.
  bool add_loops_of(const llvm::SCEV *form, llvm::Loop *innermost,
                    llvm::SmallPtrSetImpl<llvm::Loop *> &wanted) {
    struct Counters {
      llvm::SmallPtrSet<const llvm::Loop *, 4> loops;
      bool are_all = true;
      bool follow(const llvm::SCEV *part) {
        if (llvm::isa<llvm::SCEVUnknown, llvm::SCEVCouldNotCompute>(part)) are_all = false;
        if (const auto *counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part))
          loops.insert(counter->getLoop());
        return are_all;
      }
      bool isDone() const { return !are_all; }
    } counters;
    llvm::visitAll(form, counters);
    if (!counters.are_all) return false;
    for (llvm::Loop *loop = innermost; loop; loop = loop->getParentLoop())
      if (counters.loops.erase(loop) && !wanted.contains(loop) && !add(*loop, wanted)) return false;
    return counters.loops.empty();
  }

  /// Adds the loop, and the outer loops on which its trip count depends (`for b in a:N`). Returns false if it
  /// cannot be unrolled.
  bool add(llvm::Loop &loop, llvm::SmallPtrSetImpl<llvm::Loop *> &wanted) {
    if (!max_trip_count(loop)) return false;
    wanted.insert(&loop);
    llvm::SmallVector<BasicBlock *, 8> exiting;
    loop.getExitingBlocks(exiting);
    for (BasicBlock *block : exiting)
      if (add_loops_of(evolution_.getExitCount(&loop, block), loop.getParentLoop(), wanted)) return true;
    return false;
  }

  unsigned max_trip_count(llvm::Loop &loop) {
    auto [known, is_new] = trip_counts_.try_emplace(&loop, 0);
    if (is_new) known->second = evolution_.getSmallConstantMaxTripCount(&loop);
    return known->second;
  }

  /// Number of instructions of the loop after all loops in `unrolled` are unrolled.
  uint64_t size_of(llvm::Loop &loop, const llvm::SmallPtrSetImpl<llvm::Loop *> &unrolled) {
    uint64_t size = 0;
    for (BasicBlock *block : loop.blocks())
      if (loops_.getLoopFor(block) == &loop) size += block->size();
    for (llvm::Loop *inner : loop) size += size_of(*inner, unrolled);
    return unrolled.contains(&loop) ? size * max_trip_count(loop) : size;
  }

  llvm::LoopInfo &loops_;
  llvm::ScalarEvolution &evolution_;
  llvm::Function &function_;
  llvm::SmallPtrSet<llvm::Loop *, 8> unrolled_;
  llvm::DenseMap<llvm::Loop *, unsigned> trip_counts_;
};

/// Finds the first access to the array with a variable index, preferably one with a source line. Null: there
/// is none. LLVM removes the lines of instructions that it hoists out of a loop, or sets them to 0.
const llvm::Instruction *variable_access(const llvm::AllocaInst &array) {
  struct Pointer {
    const llvm::Instruction *value;
    bool is_variable; ///< true if an index on the way to this pointer is variable
  };
  const llvm::Instruction *without_place = nullptr;
  llvm::SmallVector<Pointer, 8> pointers{{&array, false}};
  while (!pointers.empty()) {
    const Pointer from = pointers.pop_back_val();
    for (const llvm::User *user : from.value->users()) {
      const auto *use = llvm::dyn_cast<llvm::Instruction>(user);
      const auto *step = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
      const bool is_variable = from.is_variable || (step && !step->hasAllConstantIndices());
      if (use && is_variable) {
        if (use->getDebugLoc() && use->getDebugLoc().getLine() != 0) return use;
        if (!without_place) without_place = use;
      }
      if (step) pointers.push_back({step, is_variable});
    }
  }
  return without_place;
}

} // namespace

std::vector<ArrayInMemory> arrays_left_in_memory(const llvm::Module &module) {
  std::vector<ArrayInMemory> found;
  for (const llvm::Function &function : module) {
    if (function.empty()) continue;
    for (const llvm::Instruction &instruction : function.getEntryBlock()) {
      const auto *array = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      const llvm::MDNode *mark = array ? array->getMetadata(LeftInMemory) : nullptr;
      const llvm::Instruction *access = mark ? variable_access(*array) : nullptr;
      if (!access) continue;
      const auto *instructions = llvm::mdconst::extract<llvm::ConstantInt>(mark->getOperand(0));
      found.push_back({access, array->getAllocationSize(module.getDataLayout())->getFixedValue(),
                       instructions->getZExtValue()});
    }
  }
  return found;
}

llvm::PreservedAnalyses UnrollIndexedLoopsPass::run(llvm::Function &function,
                                                    llvm::FunctionAnalysisManager &analyses) {
  if (!IndexedLoops(function, analyses).mark() || !unroll_) return llvm::PreservedAnalyses::all();
  return unroll_->run(function, analyses);
}

} // namespace kiln
