// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs one of LLVM's function passes outside of a pipeline. Private to component spirv.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>

namespace kiln::spirv {

/// Runs `pass` on the functions of the module that have a body and for which `wants` is true.
template <class Pass, class Wants>
void run_on_functions(llvm::Module &module, Pass pass, const Wants &wants) {
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && wants(function)) pass.run(function, functions);
}
template <class Pass> void run_on_functions(llvm::Module &module, Pass pass) {
  run_on_functions(module, std::move(pass), [](const llvm::Function &) { return true; });
}

} // namespace kiln::spirv
