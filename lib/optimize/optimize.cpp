// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize.h"

#include "inline_choice.h"
#include "pipeline.h"

#include <job/job.h>
#include <llvm_support/llvm_support.h>
#include <support/support.h>

#include <fmt/format.h>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/NoFolder.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>

namespace kiln {
namespace {

const llvm::Module *module_of(const llvm::Any &ir) {
  auto *const *module = llvm::any_cast<const llvm::Module *>(&ir);
  return module ? *module : nullptr;
}

/// Registers callbacks that time and report passes. Passes nest, because adaptors run other passes. `open` is
/// therefore a stack of the running passes.
void observe(llvm::PassInstrumentationCallbacks &callbacks, const OptimizeOptions &options,
             std::vector<Timer::Token> &open) {
  if (Timer *timer = options.pass_timer; timer && timer->enabled()) {
    callbacks.registerBeforeNonSkippedPassCallback([&open, timer](llvm::StringRef pass, const llvm::Any &) {
      open.push_back(timer->enter(pass.str()));
    });
    auto leave = [&open, timer] {
      timer->leave(open.back());
      open.pop_back();
    };
    callbacks.registerAfterPassCallback(
        [leave](llvm::StringRef, const llvm::Any &, const llvm::PreservedAnalyses &) { leave(); });
    callbacks.registerAfterPassInvalidatedCallback(
        [leave](llvm::StringRef, const llvm::PreservedAnalyses &) { leave(); });
  }
  if (options.after_pass) {
    callbacks.registerAfterPassCallback(
        [&options](llvm::StringRef pass, const llvm::Any &ir, const llvm::PreservedAnalyses &) {
          options.after_pass(std::string_view(pass.data(), pass.size()), module_of(ir));
        });
  }
}

} // namespace

/// Replaces calls of llvm.fmuladd by a product and a sum, as code generation does without hardware for
/// llvm.fma. LLVM's passes would fold calls of constants with one rounding instead.
static void split_muladds(llvm::Function &muladd) {
  for (llvm::User *user : llvm::make_early_inc_range(muladd.users())) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || call->hasAllowReassoc()) continue;
    llvm::IRBuilder<llvm::NoFolder> builder(call);
    llvm::Value *product = builder.CreateFMul(call->getArgOperand(0), call->getArgOperand(1));
    call->replaceAllUsesWith(builder.CreateFAdd(product, call->getArgOperand(2)));
    call->eraseFromParent();
  }
}

Result<void> fuse_muladds(Worker &worker, const MachineSpec &spec, llvm::Module &module) {
  for (const char *name : {"llvm.fmuladd.f32", "llvm.fmuladd.f64"}) {
    llvm::Function *function = module.getFunction(name);
    if (!function) continue;
    KILN_TRY(const llvm::TargetMachine *machine, worker.machine(spec));
    const llvm::Triple &triple = machine->getTargetTriple();
    const bool is_fused = triple.isNVPTX() || triple.isAArch64() ||
                          (triple.isX86() && machine->getMCSubtargetInfo()->checkFeatures("+fma"));
    if (!is_fused && !triple.isX86()) return {};
    if (!is_fused) {
      split_muladds(*function);
      continue;
    }
    llvm::Function *fused =
        llvm::Intrinsic::getOrInsertDeclaration(&module, llvm::Intrinsic::fma, {function->getReturnType()});
    for (llvm::User *user : llvm::make_early_inc_range(function->users()))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user); call && !call->hasAllowReassoc())
        call->setCalledFunction(fused);
  }
  return {};
}

Result<void> optimize(const Target &target, const CompilerConfig &config, llvm::Module &module,
                      Worker &worker, const MachineSpec &spec, const OptimizeOptions &options) {
  return catch_fatal_errors(worker, [&]() -> Result<void> {
    KILN_TRY(llvm::TargetMachine * machine, worker.machine(spec));
    const TargetCapabilities capabilities = target.capabilities(config.target);
    if (config.opt_level > 0) choose_inlining(capabilities.inline_limit, module);
    PipelineOptions pipeline{config.opt_level, capabilities.vectorizes_loops && config.opt_level >= 2,
                             config.first_tier && !has_relaxed_math(module)};
    if (options.pass_timer || options.after_pass) {
      llvm::PassInstrumentationCallbacks callbacks;
      std::vector<Timer::Token> open;
      observe(callbacks, options, open);
      OptimizePipeline(machine, pipeline, &callbacks).run(module);
      return {};
    }
    // Names all fields, so that each becomes part of the key below.
    const auto &[opt_level, vectorize, first_tier] = pipeline;
    KILN_TRY(OptimizePipeline * kept,
             worker.keep<OptimizePipeline>(fmt::format("optimize {} {} {} {}", static_cast<void *>(machine),
                                                       opt_level, vectorize, first_tier),
                                           [&]() -> Result<std::unique_ptr<OptimizePipeline>> {
                                             return std::make_unique<OptimizePipeline>(machine, pipeline,
                                                                                       nullptr);
                                           }));
    kept->run(module);
    return {};
  });
}

} // namespace kiln
