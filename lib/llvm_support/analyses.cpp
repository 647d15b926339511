// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyses.h"

namespace kiln {

Analyses::Analyses(llvm::TargetMachine *machine, llvm::PassInstrumentationCallbacks *callbacks)
    : builder_(machine, llvm::PipelineTuningOptions(), std::nullopt, callbacks) {
  builder_.registerModuleAnalyses(modules);
  builder_.registerCGSCCAnalyses(sccs);
  builder_.registerFunctionAnalyses(functions);
  builder_.registerLoopAnalyses(loops);
  builder_.crossRegisterProxies(loops, functions, sccs, modules);
}

void Analyses::clear() {
  modules.clear();
  sccs.clear();
  functions.clear();
  loops.clear();
}

} // namespace kiln
