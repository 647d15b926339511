// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flow: typed code from level 1, the artifact from level 2, or the stages in order.
#include "driver.h"

#include "reflect.h"
#include "stages.h"

#include <codegen/codegen.h>
#include <emit/emit.h>
#include <frontend/frontend.h>
#include <llvm_border/llvm_border.h>
#include <optimize/optimize.h>
#include <rewrite/rewrite.h>
#include <support/stack.h>

#include <llvm/Config/llvm-config.h>

namespace kiln {

Result<ObjectCache::ArtifactPtr> Driver::compile(const CompilerJob &job, const Target &target, ArtifactKind kind) {
  KILN_TRY(Compiled compiled, compile_and_tell(job, target, kind));
  return std::move(compiled.artifact);
}

Result<Driver::Compiled> Driver::compile_and_tell(const CompilerJob &job, const Target &target, ArtifactKind kind) {
  return with_stack(stack_for_limits, [&] { return look_up_or_make(job, target, kind); });
}

Result<Driver::Compiled> Driver::look_up_or_make(const CompilerJob &job, const Target &target, ArtifactKind kind) {
  if (kind == ArtifactKind::Cubin) return assemble(job, target);
  CodeInstanceTable::Use use = code.use();
  if (job.world < world.oldest()) return code.get(*job.source, inference_facts(world.types(), job.config, target), job.world).take_error(); // what it names may be gone
  KILN_TRY(const Asked asked, run_stage(*this, Stage::CacheLookup, [&] { return ask(job, target, edges != nullptr); }));
  const InferenceFacts &facts = asked.facts;
  for (bool believe = persistent && !persistent->wants_check();; believe = false) {
    KILN_TRY(Reached reached, reach(job, asked, believe));
    Fingerprint key = object_key(asked.level1, reached.digest, target.identity(), job.config, kind, toolchain);
    bool was_deceived = false;
    Compiled compiled{nullptr, {key}, 0};
    auto compile = [&]() -> Result<ObjectCache::ArtifactPtr> {
      const bool believed = !reached.code;
      if (believed) {
        KILN_TRY(reached.code, run_stage(*this, Stage::Inference, [&] { return code.get(*job.source, facts, job.world); }));
      }
      if (edges) {
        KILN_TRY(Fingerprint digest, code.callee_digest(*reached.code, asked.positions));
        was_deceived = digest != reached.digest; // the record told of something else: what is made must not go under its key
        if (was_deceived) return internal_error("recorded edges led to another digest");
        if (!believed && !reached.is_recorded) record_edges_of(job, *reached.code, asked, digest);
      }
      compiled.made = 1;
      return make(job, *reached.code, target, kind);
    };
    auto get = [&](const Keeping *kept) -> Result<Compiled> {
      KILN_TRY(compiled.artifact, objects.get(key, compile, kept));
      return std::move(compiled);
    };
    if (!persistent || kind < ArtifactKind::Assembly) {
      auto made = get(nullptr);
      if (!was_deceived) return made;
    } else {
      Keeping kept = keeping(job, target, kind, asked, reached.digest);
      auto made = get(&kept);
      if (!was_deceived) return made;
    }
  }
}

Result<Driver::Asked> Driver::ask(const CompilerJob &job, const Target &target, bool asks_edges) {
  Asked asked{inference_facts(world.types(), job.config, target), {}, {}, job.config.debug_level >= 1};
  KILN_TRY(asked.level1, inference_key(world.types(), *job.source, asked.facts));
  if (asks_edges) {
    KILN_TRY(asked.edges_at, edges_key(world, *job.source, asked.level1, asked.positions, toolchain));
  }
  return asked;
}

// Level 1: in memory; by the edges that an earlier process recorded, if they may be believed; or inferred now.
Result<Driver::Reached> Driver::reach(const CompilerJob &job, const Asked &asked, bool believe) {
  Reached reached;
  if (believe) {
    reached.code = code.find(*job.source, asked.facts, job.world);
    if (!reached.code) {
      auto recorded = run_stage(*this, Stage::CacheLookup, [&] { return edges->find(world, asked.edges_at, asked.facts, job.world, asked.positions); });
      if (recorded) return Reached{nullptr, *recorded, true};
    }
  }
  const bool is_new = !reached.code;
  if (is_new) {
    KILN_TRY(reached.code, run_stage(*this, Stage::Inference, [&] { return code.get(*job.source, asked.facts, job.world); }));
  }
  return run_stage(*this, Stage::CacheLookup, [&]() -> Result<Reached> {
    KILN_TRY(reached.digest, code.callee_digest(*reached.code, asked.positions));
    if (is_new && edges) {
      record_edges_of(job, *reached.code, asked, reached.digest);
      reached.is_recorded = true;
    }
    return reached;
  });
}

void Driver::record_edges_of(const CompilerJob &job, const CodeInstance &instance, const Asked &asked, Fingerprint digest) {
  StageScope scope(timer, Stage::CachePublish);
  edges->record(world, asked.edges_at, instance, asked.facts, job.world, asked.positions, digest);
}

Result<Driver::ToldKey> Driver::tell_key(const CompilerJob &job, const Target &target, ArtifactKind kind) {
  CodeInstanceTable::Use use = code.use();
  KILN_TRY(const Asked asked, ask(job, target, true));
  KILN_TRY(const CodeInstance *instance, code.get(*job.source, asked.facts, job.world));
  KILN_TRY(Fingerprint callees, code.callee_digest(*instance, asked.positions));
  return ToldKey{object_key(asked.level1, callees, target.identity(), job.config, kind, toolchain), fields_of(job, target, kind, asked, callees)};
}

std::vector<KeyField> Driver::fields_of(const CompilerJob &job, const Target &target, ArtifactKind kind, const Asked &asked, Fingerprint callees) {
  std::vector<KeyField> fields = key_fields(world.types(), job, target.identity(), kind, asked.level1, callees, toolchain);
  fields.push_back({"edges", asked.edges_at.hex()});
  return fields;
}

Keeping Driver::keeping(const CompilerJob &job, const Target &target, ArtifactKind kind, const Asked &asked, Fingerprint callees) {
  Keeping kept;
  kept.fields = [&, kind, callees] {
    StageScope scope(timer, Stage::CachePublish);
    return fields_of(job, target, kind, asked, callees);
  };
  // Where the library is not there, what others made with it serves.
  kept.accepts = [&](const Artifact &found) {
    if (found.device_library.empty()) return true;
    std::string own = assemblers.device_library(target);
    return own.empty() || own == found.device_library;
  };
  kept.found = [&](const Artifact &found) { show(job, found); };
  return kept;
}

void Driver::show(const CompilerJob &job, const Artifact &artifact) {
  if (observer && observer->wants(job, artifact.kind)) observer->product(job, artifact.kind, artifact.bytes);
}

Result<ObjectCache::ArtifactPtr> Driver::make(const CompilerJob &job, const CodeInstance &code_instance, const Target &target, ArtifactKind kind) {
  const CompilerConfig &config = job.config;
  Products products(*this, job, code_instance);
  if (auto early = products.before_llvm(kind)) return std::move(*early);

  WorkerPool::Lease worker = workers.acquire();
  return contain(*worker, [&]() -> Result<ObjectCache::ArtifactPtr> {
    MachineSpec machine = machine_spec(target, config);
    KILN_CHECK(target.prepare_job(config));
    KILN_TRY(EmittedModule emitted, run_stage(*this, Stage::IRGeneration, [&]() -> Result<EmittedModule> {
      KILN_TRY(EmittedModule made, run_stage(*this, Stage::Emission, [&] { return emit(world.types(), world.sources(), job, code_instance, target, worker->context()); }));
      KILN_CHECK(target.finish_module(config, *made.module, *made.module->getFunction(made.entry)));
      KILN_CHECK(verify_after(Stage::Emission, *made.module));
      products.entry_is(made);
      if (warn)
        for (const Diagnostic &warning : made.warnings) warn(warning);
      if (warn && config.validate)
        for (const Fault &fault : find_certain_throws(*made.module)) warn(fault_to_warning(fault, &world.sources()));
      KILN_CHECK(run_stage(*this, config, Stage::Rewrite, *made.module, [&] { return run_rewrites(RewritePhase::Emitted, target, config, *made.module, timer); }));
      return made;
    }));
    llvm::Module &module = *emitted.module;
    products.see(ArtifactKind::Llvm, module);
    if (kind == ArtifactKind::Llvm) return products.take(module, kind);

    KILN_CHECK(run_stage(*this, config, Stage::TargetLibraries, module, [&]() -> Result<void> {
      KILN_CHECK(link_files(config, module, *worker));
      if (target.calls_library(module)) products.uses_library(assemblers.device_library(target));
      return target.link_libraries(config, module, *worker);
    }));
    KILN_CHECK(target.finish_linked_module(config, module));
    KILN_CHECK(run_stage(*this, config, Stage::Rewrite, module, [&] { return run_rewrites(RewritePhase::Linked, target, config, module, timer); }));
    KILN_CHECK(run_stage(*this, config, Stage::MiddleEnd, module, [&] { return optimize(config, module, *worker, machine); }));
    KILN_TRY(llvm::TargetMachine *target_machine, worker->machine(machine));
    if (config.optimize) KILN_CHECK(target.optimize_module(config, module, *target_machine));
    KILN_CHECK(run_stage(*this, config, Stage::Cleanup, module, [&] { return cleanup(config, module, *worker); }));
    KILN_CHECK(target.finish_ir(config, module));
    KILN_CHECK(run_stage(*this, config, Stage::Validation, module, [&] { return validate(config, module, target, &world.sources()); }));
    products.linked(module, target);
    return run_stage(*this, Stage::BackEnd, [&]() -> Result<ObjectCache::ArtifactPtr> {
      KILN_CHECK(run_stage(*this, config, Stage::Preparation, module, [&] { return prepare_codegen(config, module, target); }));
      products.see(ArtifactKind::LlvmOpt, module);
      if (kind == ArtifactKind::LlvmOpt) return products.take(module, kind);
      if (kind == ArtifactKind::Object) KILN_CHECK(products.see_assembly(module, [&](llvm::Module &copy) { return generate_code(config, copy, target, *worker, ArtifactKind::Assembly); }));
      KILN_TRY(std::string bytes, run_stage(*this, Stage::MachineCode, [&] { return generate_code(config, module, target, *worker, kind); }));
      return products.take(std::move(bytes), kind);
    });
  });
}

Result<void> Driver::warm_up(const CompilerConfig &config, const Target &target) {
  WorkerPool::Lease worker = workers.acquire();
  return contain(*worker, [&]() -> Result<void> {
    MachineSpec machine = machine_spec(target, config);
    KILN_TRY(llvm::TargetMachine *target_machine, worker->machine(machine));
    llvm::Module module("warm-up", worker->context());
    module.setTargetTriple(machine.triple);
    module.setDataLayout(target_machine->createDataLayout());
    auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(worker->context()), false);
    auto *function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "warm_up", module);
    llvm::ReturnInst::Create(worker->context(), llvm::BasicBlock::Create(worker->context(), "entry", function));
    if (config.optimize) KILN_CHECK(optimize(config, module, *worker, machine));
    KILN_CHECK(generate_code(config, module, target, *worker, ArtifactKind::Assembly));
    return {};
  });
}

void WorkerPoolDeleter::operator()(WorkerPool *pool) const { delete pool; }
uint64_t contexts_made(const WorkerPool &pool) { return pool.contexts_made(); }
WorkerPoolPtr make_worker_pool() { return WorkerPoolPtr(new WorkerPool()); }

std::string toolchain_id(std::string_view build) { return fmt::format("kiln {} ({}) llvm {}", KILN_VERSION, build, LLVM_VERSION_STRING); }

InferenceFacts inference_facts(TypeContext &types, const CompilerConfig &config, const Target &target) {
  InferenceFacts facts{.target = types.symbol(target.name()), .target_version = types.symbol(target.version())};
  // Kernels alone see the user's overrides, whether there are any yet or not: a definition changes edges, never a key.
  std::string overlay(config.kernel ? override_overlay : "");
  if (!target.overlay().empty()) overlay += (overlay.empty() ? "" : "+") + std::string(target.overlay());
  if (!overlay.empty()) facts.overlay = types.symbol(overlay);
  facts.always_inline = config.always_inline;
  facts.is_ptx = config.target.kind == TargetKind::Ptx;
  return facts;
}

} // namespace kiln
