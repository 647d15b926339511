// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize.h"

#include <llvm_support/llvm_support.h>

#include <llvm/Transforms/IPO/ConstantMerge.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/StripDeadPrototypes.h>

namespace kiln {
namespace {

/// Pass pipeline of cleanup(). The worker keeps one for all targets, since the passes do not depend on the
/// target.
struct CleanupPipeline {
  Analyses analyses;
  llvm::ModulePassManager passes;

  CleanupPipeline() {
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
    pipeline->passes.run(module, pipeline->analyses.modules);
    pipeline->analyses.clear();
    return {};
  });
}

} // namespace kiln
