// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognises kernels that may be coarsened. Their threads are independent of each other. Each thread works on
// its own element after a bounds test. No instruction depends on the thread other than through its element.
#include "coarsen.h"

#include <kiln/extension/llvm/ir.h>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/PatternMatch.h>

#include <fmt/format.h>

namespace kiln::ptx {
namespace {

/// Maximum numbers of instructions. The speed of larger kernels is not limited by the width of their
/// accesses. The second limit applies if the user did not request coarsening. It covers only sizes that
/// gained in measurements: Adam has 50 instructions.
constexpr size_t max_instructions = 256, max_unasked_instructions = 96;

bool is_exit(const llvm::BasicBlock &block) {
  return llvm::isa<llvm::ReturnInst>(block.getTerminator()) && &block.front() == block.getTerminator();
}

/// Reason why a call prevents coarsening. Empty: the call is allowed.
std::string fault_of_call(const llvm::CallBase &call) {
  if (call.isInlineAsm()) return "it has assembly inline";
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee || !callee->isIntrinsic())
    return callee && callee->getName().starts_with("kiln_")
               ? "it may throw an exception, which tells its thread and block"
               : "it calls a function";
  const llvm::StringRef name = callee->getName();
  if (llvm::isa<llvm::AssumeInst>(call)) return {};
  if (name.contains(".barrier") || name.contains(".bar.")) return "its threads wait at barriers";
  if (name.contains(".shfl.") || name.contains(".vote.") || name.contains(".match."))
    return "its threads exchange values within their warp";
  constexpr llvm::StringRef registers = "llvm.nvvm.read.ptx.sreg.";
  if (name.starts_with(registers)) {
    const llvm::StringRef which = name.drop_front(registers.size());
    if (which == "tid.x" || which == "ctaid.x" || which == "ntid.x")
      return {}; // find_places decides about these
    return fmt::format(
        "it reads %{}: only threadIdx().x, blockIdx().x and blockDim().x make up the linear index",
        which.str());
  }
  if (call.isConvergent() || !call.doesNotAccessMemory() || call.mayHaveSideEffects())
    return fmt::format("it calls {}", name.str());
  return {};
}

std::string fault_of(const llvm::Instruction &instruction) {
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return fault_of_call(*call);
  if (llvm::isa<llvm::AtomicRMWInst>(instruction) || llvm::isa<llvm::AtomicCmpXchgInst>(instruction) ||
      llvm::isa<llvm::FenceInst>(instruction))
    return "it has atomic operations";
  if (llvm::isa<llvm::AllocaInst>(instruction)) return "it has variables in local memory";
  if (llvm::isa<llvm::UnreachableInst>(instruction))
    return "it may throw an exception, which tells its thread and block";
  if (!llvm::isa<llvm::LoadInst>(instruction) && !llvm::isa<llvm::StoreInst>(instruction)) {
    if (instruction.mayReadOrWriteMemory())
      return "it accesses memory by something else than loads and stores";
    if (instruction.isTerminator() && !llvm::isa<llvm::BranchInst>(instruction) &&
        !llvm::isa<llvm::ReturnInst>(instruction) && !llvm::isa<llvm::SwitchInst>(instruction))
      return "it leaves a block in a way that is not known";
    return {};
  }
  const bool is_simple = llvm::isa<llvm::LoadInst>(instruction)
                             ? llvm::cast<llvm::LoadInst>(instruction).isSimple()
                             : llvm::cast<llvm::StoreInst>(instruction).isSimple();
  return is_simple ? std::string() : "it has volatile or atomic accesses";
}

/// Returns true if the function has a loop: an edge back to a block of the current depth-first path.
bool has_loop(const llvm::Function &function) {
  llvm::DenseMap<const llvm::BasicBlock *, int> state; // 1: on the current path, 2: done
  std::vector<std::pair<const llvm::BasicBlock *, llvm::const_succ_iterator>> way;
  auto enter = [&](const llvm::BasicBlock *block) {
    state[block] = 1;
    way.emplace_back(block, llvm::succ_begin(block));
  };
  enter(&function.getEntryBlock());
  while (!way.empty()) {
    auto &[block, next] = way.back();
    if (next == llvm::succ_end(block)) {
      state[block] = 2;
      way.pop_back();
      continue;
    }
    const llvm::BasicBlock *successor = *next++;
    const int seen = state.lookup(successor);
    if (seen == 1) return true;
    if (seen == 0) enter(successor);
  }
  return false;
}

bool is_uniform(const llvm::Value *value) {
  if (llvm::isa<llvm::Constant>(value) || llvm::isa<llvm::Argument>(value)) return true;
  if (auto *cast = llvm::dyn_cast<llvm::CastInst>(value)) return is_uniform(cast->getOperand(0));
  auto *field = llvm::dyn_cast<llvm::ExtractValueInst>(value);
  return field && is_uniform(field->getAggregateOperand());
}

/// Returns true if `condition` == `wanted` for a thread's last element implies the same for the thread's
/// earlier elements. This holds if an upper bound is compared with the index, which does not wrap.
bool last_decides(llvm::Value *condition, bool wanted, const Places &places) {
  using namespace llvm::PatternMatch;
  llvm::Value *a = nullptr, *b = nullptr;
  if (wanted ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
             : match(condition, m_LogicalOr(m_Value(a), m_Value(b))))
    return last_decides(a, wanted, places) && last_decides(b, wanted, places);
  auto *compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
  if (!compare) return is_uniform(condition);
  llvm::CmpInst::Predicate predicate = wanted ? compare->getPredicate() : compare->getInversePredicate();
  const llvm::Value *index = compare->getOperand(0), *bound = compare->getOperand(1);
  if (!places.contains(index)) {
    std::swap(index, bound);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  const auto place = places.find(index);
  if (place == places.end() || !is_uniform(bound)) return false;
  if (predicate == llvm::CmpInst::ICMP_SLT || predicate == llvm::CmpInst::ICMP_SLE) return true;
  return (predicate == llvm::CmpInst::ICMP_ULT || predicate == llvm::CmpInst::ICMP_ULE) && place->second >= 0;
}

/// Finds the guards: branches from the entry on by which threads without an element leave.
void find_guards(CoarseKernel &kernel) {
  llvm::BasicBlock *block = &kernel.entry->getEntryBlock();
  auto only_computes = [&](const llvm::BasicBlock &of) {
    for (const llvm::Instruction &instruction : of) {
      if (instruction.isTerminator()) continue;
      // The second entry evaluates the code of all guards before it tests a condition, so that this code must
      // be harmless.
      if (llvm::isa<llvm::PHINode>(instruction) || instruction.mayReadOrWriteMemory() ||
          !llvm::isSafeToSpeculativelyExecute(&instruction))
        return false;
    }
    return true;
  };
  while (only_computes(*block)) {
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!branch) break;
    if (branch->isUnconditional()) {
      if (!branch->getSuccessor(0)->getSinglePredecessor()) break;
      block = branch->getSuccessor(0);
      continue;
    }
    if (branch->getSuccessor(0) == branch->getSuccessor(1)) break;
    const bool first_leaves = is_exit(*branch->getSuccessor(0)),
               second_leaves = is_exit(*branch->getSuccessor(1));
    if (first_leaves == second_leaves) break;
    const unsigned go_on = first_leaves ? 1 : 0;
    if (!branch->getSuccessor(go_on)->getSinglePredecessor()) break;
    kernel.guards.push_back({branch, go_on, last_decides(branch->getCondition(), go_on == 0, kernel.places)});
    block = branch->getSuccessor(go_on);
  }
  kernel.body = block;
}

} // namespace

std::optional<CoarseKernel> recognise_coarse(llvm::Function &entry, bool is_asked_for, uint32_t access_bytes,
                                             std::string &why_not) {
  CoarseKernel kernel;
  kernel.access_bytes = access_bytes;
  kernel.entry = &entry;
  kernel.is_asked_for = is_asked_for;
  auto refuse = [&](std::string why) {
    why_not = std::move(why);
    return std::nullopt;
  };
  const size_t instructions = entry.getInstructionCount();
  if (const size_t most = is_asked_for ? max_instructions : max_unasked_instructions; instructions > most)
    return refuse(fmt::format("it has {} instructions, of at most {}", instructions, most));
  const bool has_state = entry.hasFnAttribute(StateAttribute);
  if (entry.arg_size() > max_parameters + has_state)
    return refuse(fmt::format("it has more than {} parameters", max_parameters));
  for (const llvm::Instruction &instruction : llvm::instructions(entry))
    if (std::string fault = fault_of(instruction); !fault.empty()) return refuse(std::move(fault));
  if (has_state && !entry.getArg(0)->use_empty())
    return refuse("it may throw an exception, which tells its thread and block");
  if (has_loop(entry)) return refuse("it has a loop");
  auto places = find_places(entry, why_not);
  if (!places) return std::nullopt;
  kernel.places = std::move(*places);
  find_guards(kernel);
  if (!find_accesses(kernel, why_not) || !contracts_alike(kernel, why_not)) return std::nullopt;
  return kernel;
}

} // namespace kiln::ptx
