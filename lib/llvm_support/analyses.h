// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's analyses, registered for running passes. Every pass pipeline of Kiln takes them from here.
#pragma once

#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>

#include <optional>

namespace kiln {

/// LLVM's analysis managers, registered with each other.
class Analyses {
public:
  /// `machine`: its costs steer the passes; null: generic costs. `callbacks`: see every pass; may be null,
  /// and must outlive the object.
  explicit Analyses(llvm::TargetMachine *machine = nullptr,
                    llvm::PassInstrumentationCallbacks *callbacks = nullptr);

  /// Drops all results. LLVM finds results by address, and another module may get the same one.
  void clear();

private:
  llvm::PassBuilder builder_; // a member, since its callbacks may use it later

public:
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
};

/// Runs `pass` on the functions of the module that have a body and for which `wants` is true.
template <class Pass, class Wants>
void run_on_functions(llvm::Module &module, Pass pass, const Wants &wants) {
  std::optional<Analyses> analyses; // most modules need none
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || !wants(function)) continue;
    if (!analyses) analyses.emplace();
    pass.run(function, analyses->functions);
  }
}

} // namespace kiln
