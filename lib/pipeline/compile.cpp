// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pipeline. Start at run_pipeline and compile_emitted, near the end: they call the steps, which stand
// above them in order. Emission makes a module of typed code, and each later step takes the module from the
// step before it. An assembler or the launcher takes the product.
#include "compile.h"

#include "ir_functions.h"
#include "job_hooks.h"
#include "nested.h"
#include "products.h"
#include "stages.h"
#include "worker_processes.h"

#include <codegen/codegen.h>
#include <emit/emit.h>
#include <llvm_support/llvm_support.h>
#include <optimize/optimize.h>
#include <rewrite/rewrite.h>

namespace kiln {
namespace {

/// Input of every step besides the module.
struct Compilation : ModuleCompilation {
  const WarnFunction *warn_of_growth = nullptr; ///< null: growth is only reported

  Timer *timer() const { return timer_of_steps; }
  const SourceMap &sources() const { return source_map; }
  const JobHooks &hooks() const { return hooks_of(config); }

  /// Runs a stage that changes the module.
  template <class Function> Result<void> change(Stage stage, llvm::Module &module, Function &&fn) const {
    return run_stage(timer(), config, stage, module, std::forward<Function>(fn), warn_of_growth);
  }
  /// Runs hooks of the target and the embedder between stages.
  template <class Function> Result<void> run_hooks(Function &&fn) const {
    return run_stage(timer(), Stage::Hooks, std::forward<Function>(fn));
  }
};

/// Input of emission besides the typed code. Emission always runs in this process, not in a worker process.
struct JobCompilation : Compilation {
  Compiler &compiler;
  const CompilerJob &job;
};

/// Finds checks in the job's own module that fail whenever they are reached. Called before nested jobs are
/// linked, since nested jobs report their own.
std::vector<Fault> certain_throws_of(const JobCompilation &c, const llvm::Module &module) {
  if (!c.compiler.warn || !c.config.validate) return {};
  StageScope scope(c.timer(), Stage::Validation);
  return find_certain_throws(module);
}

void warn_of(const JobCompilation &c, const EmittedModule &emitted, const std::vector<Fault> &certain) {
  if (!c.compiler.warn) return;
  for (const Diagnostic &warning : emitted.warnings) c.compiler.warn(warning);
  for (const Fault &fault : certain) c.compiler.warn(fault_to_warning(fault, &c.sources()));
}

Result<EmittedModule> emit_code(const JobCompilation &c, const CodeInstance &code) {
  KILN_CHECK(check_cancellation());
  StageScope scope(c.timer(), Stage::Emission);
  KILN_TRY(EmittedModule emitted,
           emit(c.compiler.world.types(), c.sources(), c.job, code, c.target, c.worker.context()));
  if (scope.is_timed()) scope.note_instructions(0, instruction_count(*emitted.module));
  return emitted;
}

/// Turns typed code into the job's own module. Applies the target's conventions and the rewrites of emitted
/// IR.
Result<EmittedModule> emit_module(const JobCompilation &c, const CodeInstance &code) {
  StageScope scope(c.timer(), Stage::IRGeneration);
  KILN_TRY(EmittedModule emitted, emit_code(c, code));
  llvm::Module &module = *emitted.module;
  if (c.compiler.ir)
    KILN_CHECK(run_stage(c.timer(), Stage::TargetLibraries, [&] {
      return link_ir_functions(*c.compiler.ir, c.target, c.config, module, c.worker);
    }));
  llvm::Function &entry = *module.getFunction(emitted.entry);
  KILN_CHECK(c.run_hooks([&]() -> Result<void> {
    KILN_CHECK(c.target.finish_module(c.config, module, entry));
    return c.hooks().finish_module(c.config, module, entry);
  }));
  KILN_CHECK(verify_after(Stage::Emission, module));
  KILN_CHECK(fuse_muladds(c.worker, machine_spec(c.target, c.config), module));
  const std::vector<Fault> certain = certain_throws_of(c, module);
  if (!emitted.nested.empty())
    KILN_CHECK(link_nested_jobs(c.compiler, c.job, c.target, emitted, c.worker, c.products));
  c.products.entry_is(emitted);
  warn_of(c, emitted, certain);
  KILN_CHECK(c.change(Stage::Rewrite, module, [&] {
    return run_rewrites(RewritePhase::Emitted, c.target, c.config, module, c.timer());
  }));
  return emitted;
}

Result<void> link_libraries(const Compilation &c, llvm::Module &module) {
  KILN_CHECK(link_files(c.config, module, c.worker));
  KILN_CHECK(link_runtime_module(c.target, c.config, module, c.worker));
  if (c.target.calls_library(module)) c.products.uses_library(c.assemblers.device_library(c.target));
  KILN_CHECK(c.target.link_libraries(c.config, module, c.worker));
  return c.hooks().link_libraries(c.config, module);
}

/// Turns the job's module into the whole program: links the used parts of the user's bitcode and the device
/// library, and runs the rewrites of linked modules.
Result<void> link(const Compilation &c, llvm::Module &module) {
  KILN_CHECK(c.change(Stage::TargetLibraries, module, [&] { return link_libraries(c, module); }));
  KILN_CHECK(c.run_hooks([&]() -> Result<void> {
    KILN_CHECK(c.target.finish_linked_module(c.config, module));
    return c.hooks().finish_linked_module(c.config, module);
  }));
  return c.change(Stage::Rewrite, module,
                  [&] { return run_rewrites(RewritePhase::Linked, c.target, c.config, module, c.timer()); });
}

/// Reasons why arrays that are indexed only by loops of constant length stay in memory and are slow.
std::vector<Fault> faults_of(const std::vector<ArrayInMemory> &arrays) {
  std::vector<Fault> faults;
  for (const ArrayInMemory &array : arrays)
    faults.push_back(fault_at(
        *array.access,
        fmt::format("what this indexes lies in local memory, {} bytes a thread, instead of registers: the "
                    "loops around it would have {} instructions if they were unrolled",
                    array.bytes, array.instructions),
        "unrolled are loops up to 10,000 instructions, for arrays up to 1,024 bytes: take a smaller tuple or "
        "array a thread, or shared memory"));
  return faults;
}

/// Optimises the whole program: runs Kiln's lean LLVM pipeline, then the target's own optimisations.
Result<void> optimize_module(const Compilation &c, llvm::Module &module) {
  OptimizeOptions options;
  if (c.timer() && c.timer()->wants_passes()) options.pass_timer = c.timer();
  KILN_CHECK(c.change(Stage::MiddleEnd, module,
                      [&] { return optimize(c.target, c.config, module, c.worker, c.machine, options); }));
  c.products.local_arrays = faults_of(arrays_left_in_memory(module));
  if (!c.config.optimize) return {};
  return c.run_hooks([&]() -> Result<void> {
    KILN_TRY(llvm::TargetMachine * target_machine, c.worker.machine(c.machine));
    KILN_CHECK(c.target.optimize_module(c.config, module, *target_machine));
    return c.hooks().optimize_module(c.config, module, *target_machine);
  });
}

/// Analyses whether each thread of a kernel can compute several elements. Adds a second entry that does so
/// (the coarse entry) if the config requests one.
Result<void> coarsen(const Compilation &c, llvm::Module &module) {
  if (!c.config.kernel || !c.config.optimize) return {};
  KILN_TRY(Coarsening coarsening, c.target.coarsen(c.config, module, c.products.why_not_coarse));
  c.products.coarsens(std::move(coarsening));
  return {};
}

/// Prepares the optimised module for code generation: removes dead code, coarsens, applies the target's last
/// changes, and validates.
Result<void> finish(const Compilation &c, llvm::Module &module) {
  KILN_CHECK(c.change(Stage::Cleanup, module, [&] { return cleanup(c.config, module, c.worker); }));
  KILN_CHECK(c.run_hooks([&]() -> Result<void> {
    KILN_CHECK(coarsen(c, module));
    KILN_CHECK(c.target.finish_ir(c.config, module));
    return c.hooks().finish_ir(c.config, module);
  }));
  KILN_CHECK(c.change(Stage::Validation, module,
                      [&] { return validate(c.config, module, c.target, &c.sources()); }));
  c.products.linked(module, c.target);
  return {};
}

void warn_of_large_function(const Compiler &compiler, const CompilerJob &job,
                            const std::optional<LargeFunction> &large) {
  if (!compiler.warn || !large) return;
  compiler.warn(Diagnostic{
      .code = ErrorCode::None,
      .message =
          fmt::format("`{}` has {} instructions in {} blocks: machine code of this size is made as at -O0, "
                      "because optimising it would take minutes",
                      job.source->method->name.text(), large->instructions, large->blocks),
      .at = compiler.world.sources().locate(job.source->method->at),
      .hint =
          "write loops in place of unrolled text, or move parts into functions marked @noinline; -O3 has no "
          "such limit"});
}

void warn_of_local_arrays(const JobCompilation &c) {
  if (!c.compiler.warn) return;
  for (const Fault &fault : c.products.local_arrays) {
    Diagnostic warning = fault_to_warning(fault, &c.sources());
    if (fault.stack.empty()) warning.at = c.sources().locate(c.job.source->method->at);
    c.compiler.warn(warning);
  }
}

void warn_of_no_coarsening(const JobCompilation &c) {
  if (!c.compiler.warn || !c.config.coarsen || c.products.why_not_coarse.empty()) return;
  c.compiler.warn(
      Diagnostic{.code = ErrorCode::None,
                 .message = fmt::format("`{}` is not coarsened: {}", c.job.source->method->name.text(),
                                        c.products.why_not_coarse),
                 .at = c.compiler.world.sources().locate(c.job.source->method->at),
                 .hint = "its threads do one element each, as they are written; docs/guide/coarsening.md "
                         "tells which kernels are coarsened"});
}

/// Shows the module to observers as the product of stage `at`. Returns its text if the caller requested that
/// stage (`wanted`), else null.
Result<ObjectCache::ArtifactPtr> show_or_take(const Compilation &c, llvm::Module &module, ArtifactKind at,
                                              ArtifactKind wanted) {
  StageScope scope(c.timer(), Stage::Products);
  c.products.see(at, module);
  c.hooks().observe(c.config, at, module);
  if (wanted == at) return c.products.take(module, at);
  return ObjectCache::ArtifactPtr();
}

/// Turns a module into assembly or an object. Consumes the module.
Result<ObjectCache::ArtifactPtr> generate(const Compilation &c, llvm::Module &module, ArtifactKind kind) {
  StageScope scope(c.timer(), Stage::BackEnd);
  KILN_CHECK(
      c.change(Stage::Preparation, module, [&] { return prepare_codegen(c.config, module, c.target); }));
  KILN_TRY(auto text, show_or_take(c, module, ArtifactKind::LlvmOpt, kind));
  if (text) return text;
  c.products.large_function = find_large_function(c.config, module, c.target);
  if (kind == ArtifactKind::Object) KILN_CHECK(c.products.see_assembly(module, c.config, c.target, c.worker));
  KILN_TRY(std::string bytes, run_stage(c.timer(), Stage::MachineCode, [&] {
             return generate_code(c.config, module, c.target, c.worker, kind);
           }));
  return c.products.take(std::move(bytes), kind);
}

/// All steps after emission.
Result<ObjectCache::ArtifactPtr> compile_emitted(const Compilation &c, llvm::Module &module,
                                                 ArtifactKind kind) {
  KILN_CHECK(link(c, module));
  KILN_CHECK(optimize_module(c, module));
  KILN_CHECK(finish(c, module));
  return generate(c, module, kind);
}

/// Runs all steps after emission in a worker process. Returns null if no worker process serves this job, or
/// if the program has an error. This process then repeats the steps to report the error, since only it has
/// the sources.
Result<ObjectCache::ArtifactPtr> compile_elsewhere(const JobCompilation &c, const llvm::Module &module,
                                                   ArtifactKind kind) {
  WorkerProcesses *const processes = c.compiler.processes;
  if (!processes || !processes->serves(c.target, c.config)) return ObjectCache::ArtifactPtr();
  auto made = run_stage(c.timer(), Stage::WorkerProcess,
                        [&] { return processes->compile(c.config, module, kind, c.products); });
  if (!made.ok() && made.error().kind() == ErrorKind::Input) return ObjectCache::ArtifactPtr();
  return made;
}

Result<ObjectCache::ArtifactPtr> run_pipeline(const JobCompilation &c, const CodeInstance &code,
                                              ArtifactKind kind) {
  KILN_CHECK(c.run_hooks([&]() -> Result<void> {
    KILN_CHECK(c.target.prepare_job(c.config));
    return c.hooks().prepare_job(c.config);
  }));
  KILN_TRY(EmittedModule emitted, emit_module(c, code));
  llvm::Module &module = *emitted.module;
  KILN_TRY(auto text, show_or_take(c, module, ArtifactKind::Llvm, kind));
  if (text) return text;
  KILN_TRY(ObjectCache::ArtifactPtr made, compile_elsewhere(c, module, kind));
  if (!made) {
    KILN_TRY(made, compile_emitted(c, module, kind));
  }
  warn_of_large_function(c.compiler, c.job, c.products.large_function);
  warn_of_local_arrays(c);
  warn_of_no_coarsening(c);
  return made;
}

} // namespace

Result<ObjectCache::ArtifactPtr> compile_module(const ModuleCompilation &compilation, llvm::Module &module,
                                                ArtifactKind kind) {
  return catch_fatal_errors(compilation.worker,
                            [&] { return compile_emitted(Compilation{compilation}, module, kind); });
}

Result<ObjectCache::ArtifactPtr> compile_code(Compiler &compiler, const CompilerJob &job,
                                              const CodeInstance &code, const Target &target,
                                              ArtifactKind kind) {
  Products products(compiler, job, code);
  if (auto early = run_stage(compiler.timer, Stage::Products, [&] { return products.before_llvm(kind); }))
    return std::move(*early);
  WorkerPool::Lease worker =
      run_stage(compiler.timer, Stage::Preparation, [&] { return compiler.workers.acquire(); });
  const WarnFunction warn = [&](const Diagnostic &growth) {
    if (!compiler.warn) return;
    Diagnostic named = growth;
    named.message = fmt::format("`{}`: {}", job.source->method->name.text(), growth.message);
    named.at = compiler.world.sources().locate(job.source->method->at);
    compiler.warn(named);
  };
  const JobCompilation compilation{{{job.config, target, *worker, machine_spec(target, job.config), products,
                                     compiler.assemblers, compiler.world.sources(), compiler.timer},
                                    &warn},
                                   compiler,
                                   job};
  auto made = catch_fatal_errors(*worker, [&] { return run_pipeline(compilation, code, kind); });
  if (made.ok()) return made;
  Error error = made.take_error();
  locate_frames(error, compilation.sources());
  return error;
}

} // namespace kiln
