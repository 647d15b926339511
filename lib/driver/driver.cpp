// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flow: typed code from level 1, the artifact from level 2, or the stages in order.
#include "driver.h"

#include "reflect.h"
#include "stages.h"

#include <codegen/codegen.h>
#include <emit/emit.h>
#include <llvm_border/llvm_border.h>
#include <optimize/optimize.h>
#include <rewrite/rewrite.h>

#include <llvm/Config/llvm-config.h>

namespace kiln {

Result<ObjectCache::ArtifactPtr> Driver::compile(const CompilerJob &job, const Target &target, ArtifactKind kind) {
  if (kind == ArtifactKind::Cubin) return assemble(job, target);
  std::optional<CodeInstanceTable::Use> use;
  const MethodInstance &source = *job.source;
  InferenceFacts facts = inference_facts(world.types(), job.config, target);
  KILN_TRY(const CodeInstance *code_instance, run_stage(*this, Stage::Inference, [&] {
    use.emplace(code.use());
    return code.get(source, facts, job.world);
  }));
  auto find_key = [&]() -> Result<Fingerprint> {
    KILN_TRY(Fingerprint level1, inference_key(world.types(), source, facts));
    KILN_TRY(Fingerprint callees, code.callee_digest(*code_instance, job.config.debug_level >= 1));
    return object_key(level1, callees, job.config, kind, toolchain);
  };
  KILN_TRY(Fingerprint key, run_stage(*this, Stage::CacheLookup, find_key));
  return objects.get(key, [&] { return make(job, *code_instance, target, kind); });
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
      KILN_CHECK(run_stage(*this, config, Stage::Rewrite, *made.module, [&] { return run_rewrites(RewritePhase::Emitted, target, config, *made.module, timer); }));
      return made;
    }));
    llvm::Module &module = *emitted.module;
    products.see(ArtifactKind::Llvm, module);
    if (kind == ArtifactKind::Llvm) return products.take(module, kind);

    KILN_CHECK(run_stage(*this, config, Stage::TargetLibraries, module, [&]() -> Result<void> {
      KILN_CHECK(link_files(config, module, *worker));
      return target.link_libraries(config, module, *worker);
    }));
    KILN_CHECK(target.finish_linked_module(config, module));
    KILN_CHECK(run_stage(*this, config, Stage::Rewrite, module, [&] { return run_rewrites(RewritePhase::Linked, target, config, module, timer); }));
    KILN_CHECK(run_stage(*this, config, Stage::MiddleEnd, module, [&] { return optimize(config, module, *worker, machine); }));
    KILN_TRY(llvm::TargetMachine *target_machine, worker->machine(machine));
    KILN_CHECK(target.optimize_module(config, module, *target_machine));
    KILN_CHECK(run_stage(*this, config, Stage::Cleanup, module, [&] { return cleanup(config, module, *worker); }));
    KILN_CHECK(target.finish_ir(config, module));
    KILN_CHECK(run_stage(*this, config, Stage::Validation, module, [&] { return validate(config, module, target, &world.sources()); }));
    products.linked(module);
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

// An object has a key of its own, made of the text and the assembler: whatever leads to the same text shares it.
Result<ObjectCache::ArtifactPtr> Driver::assemble(const CompilerJob &job, const Target &target) {
  KILN_TRY(ObjectCache::ArtifactPtr assembly, compile(job, target, ArtifactKind::Assembly));
  KILN_TRY(const Assembler *assembler, assemblers.of(target));
  Fingerprinter key;
  key.add("kiln cubin key 1").add(assembly->bytes).add(assembly->entry).add(assembler->identity()).add(job.config.opt_level).add(job.config.debug_level).add(job.config.strip);
  for (const LinkedFile &file : job.config.linked)
    if (!is_llvm_ir(file)) key.add(file.kind).add(file.digest[0]).add(file.digest[1]);
  return objects.get(key.finish(), [&] {
    return run_stage(*this, Stage::Assemble, [&]() -> Result<ObjectCache::ArtifactPtr> {
      KILN_TRY(AssembledObject object, assembler->assemble(job.config, assembly->entry, assembly->bytes, world.sources()));
      auto artifact = std::make_shared<Artifact>(*assembly);
      artifact->kind = ArtifactKind::Cubin;
      artifact->bytes = std::move(object.bytes);
      artifact->resources = object.resources;
      artifact->assembler = assembler->identity();
      return artifact;
    });
  });
}

Result<const Assembler *> Assemblers::of(const Target &target) {
  std::lock_guard lock(mutex_);
  std::unique_ptr<Assembler> &assembler = found_[target.kind()];
  if (!assembler) {
    KILN_TRY(assembler, target.make_assembler());
  }
  return assembler.get();
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
WorkerPoolPtr make_worker_pool() { return WorkerPoolPtr(new WorkerPool()); }

std::string toolchain_id() { return fmt::format("kiln {} llvm {}", KILN_VERSION, LLVM_VERSION_STRING); }

InferenceFacts inference_facts(TypeContext &types, const CompilerConfig &config, const Target &target) {
  InferenceFacts facts;
  if (!target.overlay().empty()) facts.overlay = types.symbol(target.overlay());
  facts.always_inline = config.always_inline;
  facts.is_ptx = config.target.kind == TargetKind::Ptx;
  return facts;
}

} // namespace kiln
