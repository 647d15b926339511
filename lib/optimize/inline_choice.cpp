// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inline_choice.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>

namespace kiln {
namespace {

class InlineChoice {
public:
  explicit InlineChoice(uint64_t largest) : largest_(largest) {}

  void run(llvm::Module &module) {
    for (llvm::Function &function : module)
      if (!function.isDeclaration()) decide(function);
  }

private:
  struct Decision {
    uint64_t size = 0;     ///< instructions after inlining into it
    bool visiting = false; ///< true while decide() visits the function; if reached again, it is recursive
    bool recursive = false;
    bool done = false;
  };

  const Decision &decide(llvm::Function &function) {
    Decision &decision = decisions_[&function];
    if (decision.done) return decision;
    if (decision.visiting) {
      decision.recursive = true;
      return decision;
    }
    decision.visiting = true;
    uint64_t size = 0;
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      ++size;
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
      if (callee && !callee->isDeclaration()) {
        const Decision &inner = decide(*callee);
        if (callee->hasFnAttribute(llvm::Attribute::AlwaysInline)) size += inner.size;
      }
    }
    decision.size = size;
    decision.visiting = false;
    decision.done = true;
    const bool free_to_choose = function.hasLocalLinkage() && !decision.recursive &&
                                !function.hasFnAttribute(llvm::Attribute::NoInline) &&
                                !function.hasFnAttribute(llvm::Attribute::OptimizeNone) &&
                                !function.hasFnAttribute(llvm::Attribute::Cold) &&
                                !function.hasAddressTaken();
    if (free_to_choose && (size <= largest_ || function.hasOneUse()))
      function.addFnAttr(llvm::Attribute::AlwaysInline);
    return decision;
  }

  uint64_t largest_;
  std::map<const llvm::Function *, Decision> decisions_; ///< never iterated; references stay valid
};

} // namespace

void choose_inlining(uint64_t limit, llvm::Module &module) { InlineChoice(limit).run(module); }

} // namespace kiln
