// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prepares a worker before the first job: makes the LLVM objects that are otherwise made at their first use.
#include "compiler.h"

#include <codegen/codegen.h>
#include <llvm_support/llvm_support.h>
#include <optimize/optimize.h>

namespace kiln {
namespace {

/// void warm_up() { return; }
void add_empty_function(llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
  auto *function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "warm_up", module);
  llvm::ReturnInst::Create(context, llvm::BasicBlock::Create(context, "entry", function));
}

Result<void> compile_nothing(const CompilerConfig &config, const Target &target, Worker &worker) {
  const MachineSpec machine = machine_spec(target, config);
  KILN_TRY(llvm::TargetMachine * target_machine, worker.machine(machine));
  llvm::Module module("warm-up", worker.context());
  module.setTargetTriple(llvm::Triple(machine.triple));
  module.setDataLayout(target_machine->createDataLayout());
  add_empty_function(module);
  if (config.optimize) KILN_CHECK(optimize(target, config, module, worker, machine));
  KILN_CHECK(generate_code(config, module, target, worker, ArtifactKind::Assembly));
  return {};
}

} // namespace

Result<void> Compiler::warm_up(const CompilerConfig &config, const Target &target) {
  WorkerPool::Lease worker = workers.acquire();
  return catch_fatal_errors(*worker, [&] { return compile_nothing(config, target, *worker); });
}

void WorkerPoolDeleter::operator()(WorkerPool *pool) const { delete pool; }
uint64_t contexts_made(const WorkerPool &pool) { return pool.contexts_made(); }
WorkerPoolPtr make_worker_pool(unsigned limit) { return WorkerPoolPtr(new WorkerPool(limit)); }

} // namespace kiln
