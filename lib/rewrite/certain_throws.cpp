// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds checks in library functions that fail whenever they are reached. A check is `if !(i - 1 < length)
// throw`. If inference decides that the check fails, the library has no branch before the throw any more.
// Otherwise the condition may still be false for every length, as for index 0. A branch in the user's code
// before the check does not matter.
#include "certain_throws.h"

#include "rewrite.h"
#include "rewrites.h"

#include <llvm_support/llvm_support.h>

#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>

namespace kiln {
namespace {

constexpr unsigned deepest_condition = 8; ///< depth of a branch condition's operations

bool is_library(const llvm::DILocation &at) {
  return at.getScope()->getFile()->getDirectory() == LibraryFolder;
}

/// Finds the call in the user's code through which the library function that contains `at` was inlined. Null:
/// `at` is in the user's code.
const llvm::DILocation *call_of_library(const llvm::DILocation *at) {
  if (!at || !is_library(*at)) return nullptr;
  while (at && is_library(*at)) at = at->getInlinedAt();
  return at;
}

bool is_inlined_at(const llvm::DILocation *at, const llvm::DILocation *call) {
  while (at && at != call) at = at->getInlinedAt();
  return at;
}

/// Simplifies the value after its operands, without changing the IR.
llvm::Value *simplified(llvm::Value *value, const llvm::SimplifyQuery &query, unsigned depth) {
  using namespace llvm::PatternMatch;
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || depth == 0 || llvm::isa<llvm::PHINode>(instruction) ||
      instruction->mayReadOrWriteMemory())
    return value;
  llvm::SmallVector<llvm::Value *, 4> operands;
  for (llvm::Value *operand : instruction->operands())
    operands.push_back(simplified(operand, query, depth - 1));
  // A length is less than 2^63: an index less than 1 is never in bounds.
  const llvm::APInt *constant = nullptr;
  if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(instruction);
      compare && compare->getPredicate() == llvm::CmpInst::ICMP_ULT &&
      match(operands[0], m_APInt(constant)) && constant->isNegative())
    return llvm::ConstantInt::getFalse(compare->getType());
  llvm::Value *simpler = llvm::simplifyInstructionWithOperands(instruction, operands, query);
  return simpler ? simpler : value;
}

bool always_fails(const llvm::CallInst &thrown, const llvm::DILocation &call) {
  auto is_of_check = [&](const llvm::BasicBlock *block) {
    return is_inlined_at(block->getTerminator()->getDebugLoc().get(), &call);
  };
  const llvm::BasicBlock *block = thrown.getParent();
  while (const llvm::BasicBlock *before = block->getSinglePredecessor()) {
    if (!is_of_check(before)) return true; // inference has decided the check that starts at `block`
    const auto *branch = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
    if (!branch) return false;
    if (branch->isConditional()) {
      const llvm::SimplifyQuery query(thrown.getModule()->getDataLayout());
      auto *condition =
          llvm::dyn_cast<llvm::ConstantInt>(simplified(branch->getCondition(), query, deepest_condition));
      return condition && branch->getSuccessor(condition->isZero() ? 1 : 0) == block;
    }
    block = before;
  }
  return std::none_of(llvm::pred_begin(block), llvm::pred_end(block), is_of_check);
}

const llvm::CallInst *throw_of(const llvm::BasicBlock &block) {
  for (const llvm::Instruction &instruction : block)
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        call && call->getCalledFunction() && call->getCalledFunction()->getName() == "kiln.throw")
      return call;
  return nullptr;
}

/// Finds a throw that every path from the entry reaches. Checks on the way may throw themselves or continue.
/// Null: there is none.
const llvm::CallInst *certain_throw(const llvm::Function &entry) {
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> seen;
  for (const llvm::BasicBlock *block = &entry.getEntryBlock(); block && seen.insert(block).second;) {
    if (const llvm::CallInst *thrown = throw_of(*block)) return thrown;
    const llvm::BasicBlock *next = nullptr;
    size_t ways = 0;
    for (const llvm::BasicBlock *successor : llvm::successors(block))
      if (!throw_of(*successor)) {
        next = successor;
        ways++;
      }
    if (ways == 0 && !llvm::succ_empty(block))
      return throw_of(**llvm::succ_begin(block)); // both branches of the check throw
    block = ways == 1 ? next : nullptr;
  }
  return nullptr;
}

std::string name_of(const llvm::CallInst &thrown) {
  llvm::StringRef name;
  return llvm::getConstantStringInfo(thrown.getArgOperand(1), name) ? name.str() : "exception";
}

} // namespace

Fault fault_at(const llvm::Instruction &instruction, std::string reason, std::string hint) {
  Fault fault{std::move(reason), {}, std::move(hint)};
  for (const llvm::DILocation *at = instruction.getDebugLoc().get(); at; at = at->getInlinedAt())
    fault.stack.push_back({at->getScope()->getSubprogram()->getName().str(), at->getFilename().str(),
                           at->getLine(), at->getColumn()});
  return fault;
}

std::vector<Fault> find_certain_throws(const llvm::Module &module) {
  std::vector<Fault> faults;
  auto add = [&](Fault fault) {
    if (std::find(faults.begin(), faults.end(), fault) == faults.end()) faults.push_back(std::move(fault));
  };
  const llvm::Function *entry = find_entry(module);
  const llvm::CallInst *certain =
      entry && entry->hasFnAttribute(KernelAttribute) ? certain_throw(*entry) : nullptr;
  for (const llvm::CallInst *thrown : rewrites::calls_of(const_cast<llvm::Module &>(module), "kiln.throw")) {
    const std::string name = name_of(*thrown);
    const llvm::DILocation *call = call_of_library(thrown->getDebugLoc().get());
    const bool is_check = name.starts_with("BoundsError");
    if (call && is_check && always_fails(*thrown, *call))
      add(fault_at(*thrown,
                   "this index is always out of bounds: a thread that comes here throws a BoundsError",
                   "indices count from 1 to the length"));
    else if (thrown == certain)
      add(fault_at(*thrown,
                   fmt::format("the kernel never returns: it throws {} {} here",
                               std::string_view("AEIOU").find(name[0]) == std::string_view::npos ? "a" : "an",
                               name),
                   {}));
  }
  return faults;
}

Diagnostic fault_to_warning(const Fault &fault, const SourceMap *sources) {
  Error error = faults_to_error({fault}, sources);
  Diagnostic warning = std::move(error.diagnostics().front());
  warning.code = ErrorCode::None;
  warning.exception.clear();
  warning.stack.clear(); // the place alone is clear
  return warning;
}

} // namespace kiln
