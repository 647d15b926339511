// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule that reports exchanges through shared memory within a warp without a barrier. Threads of a warp do not
// run in lockstep, neither on GPUs of sm_70 and later nor on CPUs.
//
// Only provable cases are reported. Both addresses grow by the same constant from thread to thread. They lie
// a constant number of threads apart, and no barrier is on the path between the accesses.
#include "divergence.h"
#include "linear_form.h"
#include "rules.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace kiln {
namespace {

constexpr unsigned shared_memory = 3;
constexpr int64_t warp_threads = 32;
constexpr size_t max_function_size = 50'000, max_accesses = 256;

/// Threads of the first warp that execute an instruction: begin <= threadIdx().x < end, from 0.
struct Lanes {
  int64_t begin = 0, end = warp_threads;
};

struct SharedAccess {
  const llvm::Instruction *instruction;
  Polynomial address;
  int64_t stride; ///< bytes between the accesses of neighbouring threads
  Lanes lanes;
};

/// Returns true for instructions that may order the accesses of a warp: barriers, and calls of all kinds.
bool may_synchronise(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call || call->isDebugOrPseudoInst()) return false;
  return call->isConvergent() || !call->getCalledFunction() || !call->getCalledFunction()->isIntrinsic();
}

class LockstepRule {
public:
  LockstepRule(const KernelIr &ir, const llvm::Function &function, Findings &findings)
      : function_(function), findings_(findings), tree_(const_cast<llvm::Function &>(function)),
        loops_(tree_), divergence_(function, tree_, loops_), forms_(ir.module().getDataLayout(), loops_),
        thread_(ir.module().getFunction("llvm.nvvm.read.ptx.sreg.tid.x")) {}

  void run() {
    if (!thread_) return;
    for (const llvm::Instruction &instruction : llvm::instructions(function_))
      if (!is_cold(*instruction.getParent()) && accesses_.size() < max_accesses) collect(instruction);
    for (const SharedAccess &first : accesses_) report_after(first);
  }

private:
  void collect(const llvm::Instruction &instruction) {
    const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer || instruction.isAtomic() || !statement_of(instruction)) return;
    if (pointer->getType()->getPointerAddressSpace() != shared_memory) return;
    auto form = forms_.get(*pointer);
    if (!form) return;
    for (const auto &[values, coefficient] : *form)
      for (const llvm::Value *value : values)
        if (value != thread_ && !divergence_.is_uniform_at(*value, *instruction.getParent())) return;
    const auto slope = slope_in(*form, thread_);
    const auto stride = slope ? constant_of(*slope) : std::nullopt;
    const auto lanes = lanes_of(*instruction.getParent());
    if (stride && *stride != 0 && lanes)
      accesses_.push_back({&instruction, std::move(*form), *stride, *lanes});
  }

  /// Returns the threads that reach the block. Empty: a condition on the way is not understood.
  std::optional<Lanes> lanes_of(const llvm::BasicBlock &block) {
    Lanes lanes;
    for (auto *node = tree_.getNode(&block)->getIDom(); node; node = node->getIDom()) {
      const auto *branch = llvm::dyn_cast<llvm::BranchInst>(node->getBlock()->getTerminator());
      if (!branch || !branch->isConditional()) {
        if (node->getBlock()->getTerminator()->getNumSuccessors() > 1) return {};
        continue;
      }
      for (unsigned side : {0u, 1u}) {
        const llvm::BasicBlockEdge edge(node->getBlock(), branch->getSuccessor(side));
        if (!tree_.dominates(edge, &block) || is_cold(*branch->getSuccessor(1 - side))) continue;
        if (!restrict(lanes, *branch->getCondition(), side == 0, *node->getBlock())) return {};
      }
    }
    return lanes;
  }

  /// Restricts the threads to those for which the condition has the value `holds`.
  bool restrict(Lanes &lanes, const llvm::Value &condition, bool holds, const llvm::BasicBlock &user) {
    if (divergence_.is_uniform_at(condition, user)) return true;
    if (auto *both = llvm::dyn_cast<llvm::Instruction>(&condition); both && holds) {
      const auto *select = llvm::dyn_cast<llvm::SelectInst>(both);
      const auto *no = select ? llvm::dyn_cast<llvm::ConstantInt>(select->getFalseValue()) : nullptr;
      if (no && no->isZero())
        return restrict(lanes, *select->getCondition(), true, user) &&restrict(lanes, *select->getTrueValue(),
                                                                               true, user);
      if (both->getOpcode() == llvm::Instruction::And)
        return restrict(lanes, *both->getOperand(0), true, user) &&restrict(lanes, *both->getOperand(1), true,
                                                                            user);
    }
    const auto *test = llvm::dyn_cast<llvm::ICmpInst>(&condition);
    if (!test) return false;
    const auto left = forms_.get(*test->getOperand(0)), right = forms_.get(*test->getOperand(1));
    if (!left || !right) return false;
    const auto grows = slope_in(*left, thread_), other = slope_in(*right, thread_);
    if (!grows || !other || constant_of(*grows) != 1 || constant_of(*other) != 0) return false;
    auto bound = difference(*right, *left);
    if (!bound) return false;
    bound->erase(Monomial{thread_});
    return restrict(lanes, holds ? test->getPredicate() : test->getInversePredicate(), constant_of(*bound));
  }

  /// Restricts the threads to `thread <predicate> bound`. An upper bound that is not a constant may exceed
  /// the warp.
  static bool restrict(Lanes &lanes, llvm::CmpInst::Predicate predicate, std::optional<int64_t> bound) {
    using llvm::CmpInst;
    const bool below = predicate == CmpInst::ICMP_ULT || predicate == CmpInst::ICMP_SLT;
    const bool up_to = predicate == CmpInst::ICMP_ULE || predicate == CmpInst::ICMP_SLE;
    if (!bound) return below || up_to;
    if (below || up_to)
      lanes.end = std::min(lanes.end, *bound + up_to);
    else if (predicate == CmpInst::ICMP_UGT || predicate == CmpInst::ICMP_SGT)
      lanes.begin = std::max(lanes.begin, *bound + 1);
    else if (predicate == CmpInst::ICMP_UGE || predicate == CmpInst::ICMP_SGE)
      lanes.begin = std::max(lanes.begin, *bound);
    else if (predicate == CmpInst::ICMP_NE && *bound == 0)
      lanes.begin = std::max<int64_t>(lanes.begin, 1);
    else if (predicate == CmpInst::ICMP_EQ)
      lanes = {std::max(lanes.begin, *bound), std::min(lanes.end, *bound + 1)};
    else
      return false;
    return true;
  }

  /// Reports the accesses that meet `first` of another thread, in the order of the paths from it.
  void report_after(const SharedAccess &first) {
    std::vector<const llvm::BasicBlock *> pending;
    std::set<const llvm::BasicBlock *> seen; // never iterated
    if (!scan(first, first.instruction->getNextNode())) return;
    auto enter = [&](const llvm::BasicBlock &from) {
      for (const llvm::BasicBlock *next : llvm::successors(&from))
        if (!tree_.dominates(next, &from)) pending.push_back(next); // no further iteration
    };
    enter(*first.instruction->getParent());
    while (!pending.empty()) {
      const llvm::BasicBlock *block = pending.back();
      pending.pop_back();
      if (seen.insert(block).second && scan(first, &block->front())) enter(*block);
    }
  }

  /// Looks at the instructions from `next` to the end of its block. Returns false at a barrier.
  bool scan(const SharedAccess &first, const llvm::Instruction *next) {
    for (; next; next = next->getNextNode()) {
      if (may_synchronise(*next)) return false;
      for (const SharedAccess &access : accesses_)
        if (access.instruction == next) report_if_exchange(first, access);
    }
    return true;
  }

  void report_if_exchange(const SharedAccess &first, const SharedAccess &second) {
    const bool reads = llvm::isa<llvm::LoadInst>(second.instruction);
    if ((reads && llvm::isa<llvm::LoadInst>(first.instruction)) || first.stride != second.stride) return;
    const auto apart = difference(second.address, first.address);
    const auto bytes = apart ? constant_of(*apart) : std::nullopt;
    if (!bytes || *bytes % first.stride) return;
    const int64_t threads = *bytes / first.stride;
    // Some thread t executes the second access, and thread t + threads of its warp the first.
    if (threads == 0 || std::max(second.lanes.begin, first.lanes.begin - threads) >=
                            std::min(second.lanes.end, first.lanes.end - threads))
      return;
    const llvm::DILocation *at = statement_of(*first.instruction);
    findings_.add(
        "lockstep", *second.instruction,
        fmt::format(
            "each thread {} the element of shared memory that the thread {} {} at line {}: no barrier "
            "orders the two accesses",
            reads ? "reads" : "overwrites", describe(threads),
            llvm::isa<llvm::LoadInst>(first.instruction) ? "reads" : "writes", at->getLine()),
        "call sync_warp() between the accesses, or sync_threads(): the threads of a warp do not run in lockstep");
  }

  static std::string describe(int64_t threads) {
    return fmt::format("{} {} it", std::abs(threads), threads > 0 ? "after" : "before");
  }

  const llvm::Function &function_;
  Findings &findings_;
  const llvm::DominatorTree tree_;
  const llvm::LoopInfo loops_;
  const Divergence divergence_;
  LinearForms forms_;
  const llvm::Function *thread_; ///< reads threadIdx().x
  std::vector<SharedAccess> accesses_;
};

} // namespace

void find_lockstep(const KernelIr &ir, Findings &findings) {
  for (const llvm::Function *function : ir.functions())
    if (function->getInstructionCount() <= max_function_size) LockstepRule(ir, *function, findings).run();
}

} // namespace kiln
