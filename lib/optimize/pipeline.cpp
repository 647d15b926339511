// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline.h"

#include "conditions.h"
#include "exit_early.h"
#include "guards.h"
#include "implied.h"
#include "merge_blocks.h"
#include "split_blocks.h"
#include "unroll_indexed.h"

#include <llvm_support/llvm_support.h>

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Transforms/AggressiveInstCombine/AggressiveInstCombine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/CorrelatedValuePropagation.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopIdiomRecognize.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/Reassociate.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>
#include <llvm/Transforms/Vectorize/SLPVectorizer.h>
#include <llvm/Transforms/Vectorize/VectorCombine.h>

namespace kiln {
namespace {

using llvm::FunctionPassManager;
using llvm::LoopPassManager;

void add_inst_combine(FunctionPassManager &passes) {
  add_hide_conditions(passes);
  passes.addPass(llvm::InstCombinePass());
  add_reveal_conditions(passes);
}

/// Adds loop rotation and hoisting. LICM hoists loop-invariant work out of grid-stride loops.
void add_loop_passes(FunctionPassManager &passes, const PipelineOptions &options) {
  LoopPassManager loops;
  loops.addPass(llvm::LoopRotatePass());
  loops.addPass(ExitEarlyPass());
  loops.addPass(llvm::LoopRotatePass());
  loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
  if (options.opt_level >= 3) loops.addPass(llvm::SimpleLoopUnswitchPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true));
}

void add_induction_passes(FunctionPassManager &passes, const PipelineOptions &options) {
  LoopPassManager loops;
  if (options.vectorize)
    loops.addPass(llvm::LoopIdiomRecognizePass()); // makes calls of memset and memcpy, which only CPUs have
  loops.addPass(llvm::IndVarSimplifyPass());
  loops.addPass(llvm::LoopDeletionPass());
  loops.addPass(llvm::LoopFullUnrollPass(options.opt_level));
  add_hide_conditions(passes);
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/false));
  add_reveal_conditions(passes);
}

/// Runs LLVM's SLP vectoriser, but not on large functions: its time is quadratic in the number of
/// comparisons.
struct VectorizeStraightLinePass : llvm::PassInfoMixin<VectorizeStraightLinePass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    if (function.getInstructionCount() > max_instructions_of_function) return llvm::PreservedAnalyses::all();
    return vectorizer.run(function, analyses);
  }
  llvm::SLPVectorizerPass vectorizer;
};

void add_vectorizers(FunctionPassManager &passes) {
  passes.addPass(VersionGuardsPass());
  passes.addPass(llvm::LoopVectorizePass());
  add_inst_combine(passes);
  passes.addPass(llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions()
                                           .forwardSwitchCondToPhi(true)
                                           .convertSwitchToLookupTable(true)
                                           .hoistCommonInsts(true)
                                           .sinkCommonInsts(true)));
  passes.addPass(SplitBlocksPass());
  passes.addPass(VectorizeStraightLinePass());
  passes.addPass(llvm::VectorCombinePass());
}

FunctionPassManager function_passes(const PipelineOptions &options) {
  FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(FoldImpliedConditionsPass());
  passes.addPass(MergeBlocksPass());
  passes.addPass(llvm::SimplifyCFGPass());
  add_inst_combine(passes);
  if (options.opt_level >= 3) {
    passes.addPass(llvm::JumpThreadingPass());
    passes.addPass(llvm::CorrelatedValuePropagationPass());
  }
  add_loop_passes(passes, options);
  passes.addPass(llvm::SimplifyCFGPass());
  add_inst_combine(passes);
  if (options.opt_level >= 2) {
    // The first run sees whole loop nests, before LLVM unrolls a part of one. The second run finds loops
    // whose bound was the counter of an outer loop.
    if (!options.vectorize) passes.addPass(UnrollIndexedLoopsPass());
    add_induction_passes(passes, options);
    if (!options.vectorize) passes.addPass(UnrollIndexedLoopsPass(options.opt_level));
    // Moves arrays of unrolled loops to registers.
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::GVNPass());
    passes.addPass(llvm::DSEPass());
    add_inst_combine(passes);
  }
  if (options.vectorize) add_vectorizers(passes);
  if (options.opt_level >= 2) {
    passes.addPass(llvm::LoopUnrollPass(llvm::LoopUnrollOptions(options.opt_level)));
    add_inst_combine(passes);
    LoopPassManager loops; // hoists values that became loop-invariant by unrolling and vectorising
    loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true));
    passes.addPass(llvm::ADCEPass());
  }
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(SplitBlocksPass());
  return passes;
}

/// Passes that reduce the work of instruction selection, and hoist loop-invariant code.
FunctionPassManager first_tier_passes() {
  FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/false));
  passes.addPass(llvm::SimplifyCFGPass());
  LoopPassManager loops;
  loops.addPass(llvm::LoopRotatePass());
  loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true));
  passes.addPass(llvm::SimplifyCFGPass());
  return passes;
}

} // namespace

OptimizePipeline::OptimizePipeline(llvm::TargetMachine *machine, const PipelineOptions &options,
                                   llvm::PassInstrumentationCallbacks *callbacks)
    : analyses_(machine, callbacks) {
  passes_.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
  passes_.addPass(llvm::GlobalDCEPass());
  if (options.opt_level > 0)
    passes_.addPass(llvm::createModuleToFunctionPassAdaptor(options.first_tier ? first_tier_passes()
                                                                               : function_passes(options)));
}

void OptimizePipeline::run(llvm::Module &module) {
  passes_.run(module, analyses_.modules);
  analyses_.clear();
}

} // namespace kiln
