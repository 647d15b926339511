// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes a thread's position in its block from the entry to the functions that ask for it. Intel's CPU driver
// 2026.22 makes a call with equal arguments once for several threads. If the function reads the position, all
// of them get that of the first.
#include "passes.h"

#include <llvm_support/llvm_support.h>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <map>

namespace kiln::spirv {
namespace {

/// Functions whose results differ between the threads of a block.
constexpr const char *Positions[] = {"kiln.thread_idx.x", "kiln.thread_idx.y", "kiln.thread_idx.z",
                                     "kiln.lane"};
using Values = llvm::SmallVector<llvm::Value *, 4>;

class PositionRewrite {
public:
  explicit PositionRewrite(llvm::Module &module) : module_(module) {
    for (const char *name : Positions)
      if (llvm::Function *getter = module.getFunction(name); getter && !getter->use_empty()) {
        getters_.push_back(getter);
        names_.push_back(llvm::StringRef(name).drop_front(5)); // without "kiln."
        types_.push_back(getter->getReturnType());
      }
  }

  void run(llvm::Function &entry) {
    Functions readers = callers_of(module_, Functions(getters_.begin(), getters_.end()));
    std::vector<llvm::Function *> in_order;
    for (llvm::Function &function : module_)
      if (readers.count(&function) && &function != &entry && !function.hasAddressTaken())
        in_order.push_back(&function);
    for (llvm::Function *function : in_order) changed_.insert(prepend_parameters(*function, types_, names_));
    for (llvm::Function &function : module_)
      if (readers.count(&function) || changed_.count(&function)) pass_in(function);
  }

private:
  /// The positions in `function`: its parameters, or calls at its start.
  const Values &positions(llvm::Function &function) {
    Values &values = positions_[&function];
    if (!values.empty()) return values;
    if (changed_.count(&function)) {
      for (unsigned i = 0; i < getters_.size(); ++i) values.push_back(function.getArg(i));
      return values;
    }
    llvm::IRBuilder<> ir(&*function.getEntryBlock().getFirstInsertionPt());
    if (llvm::DISubprogram *place = function.getSubprogram())
      ir.SetCurrentDebugLocation(llvm::DILocation::get(module_.getContext(), place->getLine(), 0, place));
    for (llvm::Function *getter : getters_) values.push_back(ir.CreateCall(getter));
    return values;
  }

  void pass_in(llvm::Function &function) {
    std::vector<llvm::CallInst *> calls, reads;
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      auto *callee = call ? llvm::dyn_cast<llvm::Function>(call->getCalledOperand()) : nullptr;
      if (callee && changed_.count(callee)) calls.push_back(call);
      if (callee && changed_.count(&function) && llvm::is_contained(getters_, callee)) reads.push_back(call);
    }
    for (llvm::CallInst *call : calls) prepend_arguments(*call, positions(function));
    for (llvm::CallInst *read : reads) {
      const auto which = llvm::find(getters_, read->getCalledFunction()) - getters_.begin();
      read->replaceAllUsesWith(positions(function)[size_t(which)]);
      read->eraseFromParent();
    }
  }

  llvm::Module &module_;
  llvm::SmallVector<llvm::Function *, 4> getters_;
  llvm::SmallVector<llvm::StringRef, 4> names_;
  llvm::SmallVector<llvm::Type *, 4> types_;
  Functions changed_;                            ///< functions with parameters for the positions
  std::map<llvm::Function *, Values> positions_; ///< never iterated
};

} // namespace

Result<void> pass_positions(const Target &, const CompilerConfig &, llvm::Module &module) {
  KILN_TRY(llvm::Function * entry, entry_of(module));
  PositionRewrite(module).run(*entry);
  return {};
}

} // namespace kiln::spirv
