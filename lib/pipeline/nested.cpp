// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nested jobs: functions of a job that are compiled with a config of their own. Each has its own module until
// it is optimised. The hooks of its own target and config run on that module, and so do the rewrites that
// depend on its options (Rewrite::on_nested). Afterwards it is linked into the job's module like any other
// function. Rewrites of whole programs (pointers to code, exceptions, kernel state, shared memory, the grid)
// run only there, with the job's config and target.
#include "nested.h"

#include "job_hooks.h"
#include "products.h"
#include "stages.h"

#include <llvm_support/llvm_support.h>
#include <optimize/optimize.h>
#include <rewrite/rewrite.h>

#include <llvm/IR/InstrTypes.h>
#include <llvm/Linker/Linker.h>

#include <set>

namespace kiln {
namespace {

/// Marks the CPU's wait functions and all their callers convergent while a nested job's module is optimised.
/// Without the mark LLVM could move a wait, which changes the threads that meet at it. In the job's own
/// module waits are already lowered when it is optimised.
void mark_waits(llvm::Module &module) {
  std::vector<llvm::Function *> waiting;
  for (llvm::Function &function : module)
    if (function.isDeclaration() &&
        (function.getName().starts_with("kiln.wait.") || function.getName().starts_with("kiln.barrier")))
      waiting.push_back(&function);
  std::set<llvm::Function *> held;              // never iterated
  for (size_t i = 0; i < waiting.size(); ++i) { // `waiting` grows
    if (!held.insert(waiting[i]).second) continue;
    waiting[i]->setConvergent();
    for (llvm::User *user : waiting[i]->users())
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(user)) waiting.push_back(call->getFunction());
  }
}
/// Removes all convergent marks: code in the job's module has none.
void unmark_waits(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (!function.isIntrinsic()) function.removeFnAttr(llvm::Attribute::Convergent);
}

class NestedJob {
public:
  NestedJob(Compiler &compiler, const CompilerJob &outer, const Target &outer_target, const NestedCall &call,
            const CompilerConfig &config, Worker &worker, Products &products)
      : compiler_(compiler), outer_(outer), outer_target_(outer_target), call_(call),
        job_{.source = call.code->instance, .config = within(outer.config, config), .world = outer.world},
        target_(compiler.targets.of(config.target)), worker_(worker), products_(products) {}

  Result<void> run(EmittedModule &into) {
    StageScope scope(compiler_.timer, "nested job");
    KILN_CHECK(run_hooks([&]() -> Result<void> {
      KILN_CHECK(target_.prepare_job(config()));
      return hooks().prepare_job(config());
    }));
    KILN_TRY(EmittedModule own, emit());
    KILN_CHECK(link(*own.module));
    KILN_CHECK(optimize(*own.module));
    KILN_CHECK(run_hooks([&]() -> Result<void> {
      KILN_CHECK(hooks().finish_ir(config(), *own.module));
      if (config().validate) KILN_CHECK(hooks().validate_ir(config(), *own.module));
      hooks().observe(config(), ArtifactKind::LlvmOpt, *own.module);
      return {};
    }));
    into.session_bound |= own.session_bound;
    for (Diagnostic &warning : own.warnings) into.warnings.push_back(std::move(warning));
    return move_into(*into.module, std::move(own.module));
  }

private:
  /// Returns the nested config with the options that the whole program must share: libraries and validation.
  static CompilerConfig within(const CompilerConfig &program, CompilerConfig nested) {
    nested.libraries = program.libraries;
    nested.validate = program.validate;
    return nested;
  }
  const CompilerConfig &config() const { return job_.config; }
  const JobHooks &hooks() const { return hooks_of(config()); }
  template <class Function> Result<void> run_hooks(Function &&fn) const {
    return run_stage(compiler_.timer, Stage::Hooks, std::forward<Function>(fn));
  }

  Result<EmittedModule> emit() {
    Timer *timer = compiler_.timer;
    KILN_TRY(EmittedModule own, run_stage(timer, Stage::Emission, [&] {
               return emit_nested(compiler_.world.types(), compiler_.world.sources(), job_, *call_.code,
                                  call_.symbol, target_, worker_.context());
             }));
    llvm::Module &module = *own.module;
    if (compiler_.ir)
      KILN_CHECK(run_stage(timer, Stage::TargetLibraries, [&] {
        return link_ir_functions(*compiler_.ir, target_, config(), module, worker_);
      }));
    KILN_TRY(llvm::Function * entry, entry_of(module));
    KILN_CHECK(target_.finish_module(config(), module, *entry));
    KILN_CHECK(hooks().finish_module(config(), module, *entry));
    KILN_CHECK(verify_after(Stage::Emission, module));
    KILN_CHECK(fuse_muladds(worker_, machine_spec(target_, config()), module));
    if (compiler_.warn && config().validate)
      for (const Fault &fault : find_certain_throws(module))
        own.warnings.push_back(fault_to_warning(fault, &compiler_.world.sources()));
    KILN_CHECK(link_nested_jobs(compiler_, job_, target_, own, worker_, products_));
    KILN_CHECK(run_stage(timer, config(), Stage::Rewrite, module, [&] {
      return run_nested_rewrites(RewritePhase::Emitted, target_, config(), module, timer);
    }));
    hooks().observe(config(), ArtifactKind::Llvm, module);
    return own;
  }

  Result<void> link(llvm::Module &module) {
    auto libraries = [&]() -> Result<void> {
      KILN_CHECK(link_runtime_module(target_, config(), module, worker_));
      if (target_.calls_library(module)) products_.uses_library(compiler_.assemblers.device_library(target_));
      KILN_CHECK(target_.link_libraries(config(), module, worker_));
      return hooks().link_libraries(config(), module);
    };
    KILN_CHECK(run_stage(compiler_.timer, config(), Stage::TargetLibraries, module, libraries));
    KILN_CHECK(target_.finish_linked_module(config(), module));
    KILN_CHECK(hooks().finish_linked_module(config(), module));
    return run_stage(compiler_.timer, config(), Stage::Rewrite, module, [&] {
      return run_nested_rewrites(RewritePhase::Linked, target_, config(), module, compiler_.timer);
    });
  }

  Result<void> optimize(llvm::Module &module) {
    // Make the functions internal: the optimiser assumes that others may call functions with external
    // linkage.
    make_internal(module, module.getFunction(call_.symbol));
    if (!config().optimize) return {};
    const MachineSpec machine = machine_spec(target_, config());
    const bool convergent = target_.capabilities(config().target).convergent_calls;
    if (!convergent) mark_waits(module);
    KILN_CHECK(run_stage(
        compiler_.timer, config(), Stage::MiddleEnd, module,
        [&] { return kiln::optimize(target_, config(), module, worker_, machine); }, &compiler_.warn));
    if (!convergent) unmark_waits(module);
    // Remove attributes that become wrong if the function later gets the kernel state as a parameter.
    for (llvm::Function &function : module)
      if (!function.isDeclaration()) {
        function.removeFnAttr(llvm::Attribute::Memory);
        function.removeFnAttr(llvm::Attribute::NoSync);
      }
    KILN_TRY(llvm::TargetMachine * target_machine, worker_.machine(machine));
    KILN_CHECK(target_.optimize_module(config(), module, *target_machine));
    return hooks().optimize_module(config(), module, *target_machine);
  }

  Result<void> move_into(llvm::Module &program, std::unique_ptr<llvm::Module> own) {
    const llvm::Function *declared = program.getFunction(call_.symbol);
    llvm::Function *entry = own->getFunction(call_.symbol);
    if (!declared || !entry || entry->isDeclaration())
      return make_error(ErrorCode::KernelError,
                        fmt::format("the module of the nested job has lost its entry `{}`", call_.symbol), {},
                        "hooks may change the entry, and must leave it there under its name");
    if (entry->getFunctionType() != declared->getFunctionType())
      return make_error(ErrorCode::KernelError,
                        fmt::format("the entry `{}` of the nested job has another type than its callers know",
                                    call_.symbol),
                        {}, "hooks may change the entry's body, not what it takes and gives");
    // Functions that flush denormals must not be inlined into functions that do not, or vice versa.
    const bool stays_apart = config().target.fast_math != outer_.config.target.fast_math &&
                             outer_target_.capabilities(outer_.config.target).fast_math_flushes;
    for (llvm::Function &function : *own) {
      if (function.isDeclaration()) continue;
      function.removeFnAttr(EntryAttribute);
      function.addFnAttr(NestedAttribute);
      if (!stays_apart || !function.hasFnAttribute(DeferredAttribute)) continue;
      function.removeFnAttr(llvm::Attribute::AlwaysInline);
      function.addFnAttr(llvm::Attribute::NoInline);
    }
    own->setTargetTriple(program.getTargetTriple());
    own->setDataLayout(program.getDataLayout());
    if (llvm::Linker::linkModules(program, std::move(own)))
      return make_error(ErrorCode::KernelError,
                        "the module of the nested job cannot be linked into its job's");
    program.getFunction(call_.symbol)->setLinkage(llvm::GlobalValue::InternalLinkage);
    return {};
  }

  Compiler &compiler_;
  const CompilerJob &outer_;
  const Target &outer_target_;
  const NestedCall &call_;
  const CompilerJob job_;
  const Target &target_;
  Worker &worker_;
  Products &products_;
};

} // namespace

Result<void> link_nested_jobs(Compiler &compiler, const CompilerJob &job, const Target &target,
                              EmittedModule &into, Worker &worker, Products &products) {
  for (const NestedCall &call : into.nested) {
    const NestedConfig *nested = find_nested(job.config, call.config);
    if (!nested) return internal_error(fmt::format("the nested config `{}` is gone", call.config));
    Result<void> done = NestedJob(compiler, job, target, call, *nested->config, worker, products).run(into);
    if (done.ok()) continue;
    Error error = done.take_error();
    locate_frames(error, compiler.world.sources());
    const auto types = call.code->instance->arguments->as<DataType>()->params();
    for (Diagnostic &diagnostic : error.diagnostics()) {
      diagnostic.notes.push_back(
          {fmt::format("in the nested job `{}` of {}", call.config, spell_call(types)), call.at});
      if (!diagnostic.at) diagnostic.at = call.at;
    }
    return error;
  }
  return {};
}

} // namespace kiln
