// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives all functions but the entry internal linkage, so that the optimiser may remove and change them. With
// option always_inline, marks every non-recursive function for inlining. Functions that are deliberately cold
// stay unmarked. So do functions of nested jobs, which have an option of their own.
#include "rewrite.h"
#include "rewrites.h"

#include <llvm_support/llvm_support.h>

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>

void kiln::make_internal(llvm::Module &module, const llvm::GlobalValue *but) {
  for (llvm::GlobalValue &value : module.global_values()) {
    if (&value == but || value.isDeclaration() || value.hasLocalLinkage() || value.hasAppendingLinkage() ||
        value.getName().starts_with("llvm."))
      continue;
    // A variable of a library, which the host may set by its name, keeps its linkage.
    if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&value);
        variable && variable->isExternallyInitialized())
      continue;
    value.setVisibility(llvm::GlobalValue::DefaultVisibility);
    value.setLinkage(llvm::GlobalValue::InternalLinkage);
    if (auto *object = llvm::dyn_cast<llvm::GlobalObject>(&value)) object->setComdat(nullptr);
  }
}

namespace kiln::rewrites {
namespace {

llvm::SmallPtrSet<const llvm::Function *, 8> recursive_functions(llvm::Module &module) {
  llvm::SmallPtrSet<const llvm::Function *, 8> recursive;
  llvm::CallGraph graph(module);
  for (auto scc = llvm::scc_begin(&graph); !scc.isAtEnd(); ++scc)
    if (scc.hasCycle())
      for (llvm::CallGraphNode *node : *scc)
        if (node->getFunction()) recursive.insert(node->getFunction());
  return recursive;
}

} // namespace

Result<void> internalize(const Target &target, const CompilerConfig &config, llvm::Module &module) {
  KILN_TRY(llvm::Function * entry, entry_of(module));
  make_internal(module, entry);
  if (!config.always_inline) return {};
  auto recursive = recursive_functions(module);
  for (llvm::Function &function : module) {
    if (&function == entry || function.isDeclaration() || function.hasFnAttribute(NestedAttribute) ||
        recursive.contains(&function) || function.hasFnAttribute(llvm::Attribute::Cold))
      continue;
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
  return {};
}

} // namespace kiln::rewrites
