// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "derivative.h"

#include "tangents.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace derivative {

using namespace kiln;

std::atomic<int> Differentiate::functions = 0;

Result<void> Differentiate::finish_linked_module(const CompilerConfig &, llvm::Module &module) const {
  KILN_TRY(llvm::Function * entry, entry_of(module));
  llvm::Type *type = entry->getReturnType();
  if (!type->isFloatingPointTy() || entry->arg_empty() || entry->getArg(0)->getType() != type)
    return make_error(ErrorCode::TypeError,
                      "no derivative of a function that returns another type than its first argument's", {},
                      "let it return a number of the argument's type");
  // The derivative takes the function's name; recursive calls inside it go to a copy.
  llvm::ValueToValueMapTy copies;
  llvm::Function *f = llvm::CloneFunction(entry, copies);
  f->setLinkage(llvm::GlobalValue::InternalLinkage);
  f->removeFnAttr(EntryAttribute);
  entry->replaceAllUsesWith(f);
  Tangents tangents;
  std::vector<bool> active(f->arg_size());
  active[0] = true;
  llvm::Function *both = tangents.of(*f, active);
  if (!tangents.faults.empty()) return Error(std::move(tangents.faults));
  functions += tangents.count();

  const llvm::GlobalValue::LinkageTypes linkage = entry->getLinkage();
  entry->deleteBody();
  entry->setLinkage(linkage);
  llvm::IRBuilder<> body(llvm::BasicBlock::Create(module.getContext(), "", entry));
  std::vector<llvm::Value *> arguments;
  for (llvm::Argument &argument : entry->args()) arguments.push_back(&argument);
  arguments.push_back(llvm::ConstantFP::get(type, 1));
  body.CreateRet(body.CreateExtractValue(body.CreateCall(both, arguments), 1));
  return {};
}

CompilerConfig with_derivatives(CompilerConfig config, int order) {
  CompilerConfig nested;
  nested.hooks = std::make_shared<Differentiate>();
  for (int level = 1; level < order; level++) { // innermost first
    nested.optimize = false;                    // another derivative is taken of it, from plain code
    CompilerConfig outer;
    outer.hooks = nested.hooks;
    outer.nested = {{"derivative", std::make_shared<const CompilerConfig>(std::move(nested))}};
    nested = std::move(outer);
  }
  config.nested.push_back({"derivative", std::make_shared<const CompilerConfig>(std::move(nested))});
  return config;
}

} // namespace derivative
