// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize.h"

#include <llvm_support/llvm_support.h>

#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/ConstantMerge.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/StripDeadPrototypes.h>

namespace kiln {
namespace {

/// Pass pipeline of cleanup(). The worker keeps one for all targets, since the passes do not depend on the
/// target.
struct CleanupPipeline {
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::ModulePassManager passes;

  CleanupPipeline() {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(sccs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, sccs, modules);
    passes.addPass(llvm::GlobalDCEPass());
    passes.addPass(llvm::StripDeadPrototypesPass());
    passes.addPass(llvm::ConstantMergePass());
  }
};

} // namespace

Result<void> cleanup(const CompilerConfig &config, llvm::Module &module, Worker &worker) {
  if (!config.cleanup) return {};
  return catch_fatal_errors(worker, [&]() -> Result<void> {
    KILN_TRY(
        CleanupPipeline * pipeline,
        worker.keep<CleanupPipeline>("optimize cleanup", []() -> Result<std::unique_ptr<CleanupPipeline>> {
          return std::make_unique<CleanupPipeline>();
        }));
    pipeline->passes.run(module, pipeline->modules);
    pipeline->modules.clear();
    pipeline->sccs.clear();
    pipeline->functions.clear();
    pipeline->loops.clear();
    return {};
  });
}

} // namespace kiln
