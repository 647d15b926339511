// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A middle-end pipeline with its analysis managers, used for many modules. It has function and loop passes
// only. LLVM's default pipelines contain ModuleInlinerWrapperPass, which crashes when it runs a second time.
#pragma once

#include "optimize.h"

#include <llvm/IR/PassManager.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm_support/llvm_support.h>

#include <memory>

namespace kiln {

struct PipelineOptions {
  int opt_level = 2;
  bool vectorize = false; ///< native, from level 2
  /// A few passes only, for CompilerConfig::first_tier: fast instruction selection follows.
  bool first_tier = false;
  bool operator==(const PipelineOptions &) const = default;
};

class OptimizePipeline {
public:
  /// `callbacks`: may be null, and must outlive the pipeline.
  OptimizePipeline(llvm::TargetMachine *machine, const PipelineOptions &options,
                   llvm::PassInstrumentationCallbacks *callbacks);
  void run(llvm::Module &module);

private:
  Analyses analyses_;
  llvm::ModulePassManager passes_;
};

} // namespace kiln
