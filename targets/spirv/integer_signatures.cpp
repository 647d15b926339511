// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "integer_stages.h"

#include <llvm/Transforms/Utils/Cloning.h>

#include <fmt/format.h>

#include <map>
#include <vector>

namespace kiln::spirv {
namespace {

enum class State { Open, Done };

class SignatureInliner {
public:
  explicit SignatureInliner(llvm::Module &module) : module_(module) {}

  Result<void> run() {
    std::vector<llvm::Function *> functions;
    for (llvm::Function &function : module_)
      if (!function.isDeclaration() && has_other(function.getFunctionType())) functions.push_back(&function);
    for (llvm::Function *function : functions) KILN_CHECK(order(*function));
    for (llvm::Function *function : order_) KILN_CHECK(inline_calls(*function));
    for (llvm::Function *function : llvm::reverse(order_)) KILN_CHECK(remove(*function));
    return {};
  }

private:
  /// Adds a function to order_ after the functions that it calls. Fails if it calls itself.
  Result<void> order(llvm::Function &function) {
    auto [entry, fresh] = states_.try_emplace(&function, State::Open);
    if (!fresh && entry->second == State::Open)
      return unsupported(
          function,
          "a recursive function cannot be inlined, and its parameters or its result have such integers");
    if (!fresh) return {};
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
          if (llvm::Function *callee = call->getCalledFunction();
              callee && !callee->isDeclaration() && has_other(callee->getFunctionType()))
            KILN_CHECK(order(*callee));
    states_[&function] = State::Done;
    order_.push_back(&function);
    return {};
  }

  static Result<void> inline_calls(llvm::Function &function) {
    function.removeDeadConstantUsers();
    for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(user);
      if (!call || call->getCalledFunction() != &function)
        return unsupported(
            function, "a function whose address is taken has such integers as parameters or as its result");
      llvm::InlineFunctionInfo info;
      const llvm::InlineResult inlined = llvm::InlineFunction(*call, info);
      if (!inlined.isSuccess())
        return unsupported(*call, fmt::format("the called function has such integers as parameters or as its "
                                              "result, and it cannot be inlined ({})",
                                              inlined.getFailureReason()));
    }
    return {};
  }

  static Result<void> remove(llvm::Function &function) {
    if (!function.isDiscardableIfUnused())
      return unsupported(function, "a kernel or an exported function cannot have such integers as parameters "
                                   "or as its result");
    function.eraseFromParent();
    return {};
  }

  llvm::Module &module_;
  std::map<const llvm::Function *, State> states_; ///< never iterated
  std::vector<llvm::Function *> order_;            ///< callees first
};

} // namespace

Result<void> inline_signatures(llvm::Module &module) { return SignatureInliner(module).run(); }

} // namespace kiln::spirv
