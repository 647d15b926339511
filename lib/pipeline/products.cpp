// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "products.h"

#include <codegen/codegen.h>
#include <emit/emit.h>
#include <llvm_support/llvm_support.h>

#include <llvm/Transforms/Utils/Cloning.h>

namespace kiln {

Products::Products(Compiler &compiler, const CompilerJob &job, const CodeInstance &code)
    : compiler_(&compiler), job_(&job), code_(&code),
      sight_{[&](ArtifactKind kind) { return compiler.observer && compiler.observer->wants(job, kind); },
             [&](ArtifactKind kind, std::string_view text) {
               ObserverFault::note(compiler.observer->product(job, kind, text));
             }} {}

std::optional<Result<ObjectCache::ArtifactPtr>> Products::before_llvm(ArtifactKind kind) {
  const SourceMap &sources = compiler_->world.sources();
  auto lowered = [&] { return to_string(*code_->code, &sources); };
  auto typed = [&](bool colour) { return to_string(compiler_->world.types(), *code_, &sources, colour); };
  if (sight_.wants(ArtifactKind::Lowered)) sight_.see(ArtifactKind::Lowered, lowered());
  if (sight_.wants(ArtifactKind::Typed)) sight_.see(ArtifactKind::Typed, typed(false));
  if (kind == ArtifactKind::Lowered) return take(lowered(), kind);
  if (kind == ArtifactKind::Typed) return take(typed(compiler_->colour), kind);
  return std::nullopt;
}

void Products::entry_is(const EmittedModule &emitted) {
  facts_.entry = emitted.entry;
  facts_.parameters = emitted.parameters;
  facts_.return_size = emitted.return_size;
  facts_.session_bound = emitted.session_bound;
  if (job_->config.kernel) return;
  ByteWriter type;
  TypeWriter writer(compiler_->world, job_->world, type);
  writer.add(code_->result.type);
  if (!writer.failed()) facts_.return_type = type.take();
}

void Products::linked(const llvm::Module &module, const Target &target) {
  facts_.has_kernel_state = has_kernel_state(module);
  facts_.needs_cooperative_launch = target.needs_cooperative_launch(module);
  facts_.shared_bytes = static_shared_bytes(module);
  const llvm::Function *entry = find_entry(module);
  facts_.blocks_along_y = entry && entry->hasFnAttribute(BlocksAlongYAttribute);
}

void Products::see(ArtifactKind kind, const llvm::Module &module) {
  if (sight_.wants(kind)) sight_.see(kind, print_ir(module));
}

Result<void> Products::see_assembly(const llvm::Module &module, const CompilerConfig &config,
                                    const Target &target, Worker &worker) {
  if (!sight_.wants(ArtifactKind::Assembly)) return {};
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  KILN_TRY(std::string text, generate_code(config, *copy, target, worker, ArtifactKind::Assembly));
  sight_.see(ArtifactKind::Assembly, text);
  return {};
}

Result<ObjectCache::ArtifactPtr> Products::take(const llvm::Module &module, ArtifactKind kind) {
  auto artifact = std::make_shared<Artifact>(facts_);
  artifact->kind = kind;
  artifact->bytes = print_ir(module);
  return ObjectCache::ArtifactPtr(std::move(artifact));
}

Result<ObjectCache::ArtifactPtr> Products::take(std::string bytes, ArtifactKind kind) {
  if (sight_.wants(kind)) sight_.see(kind, bytes);
  auto artifact = std::make_shared<Artifact>(facts_);
  artifact->kind = kind;
  artifact->bytes = std::move(bytes);
  return ObjectCache::ArtifactPtr(std::move(artifact));
}

ObjectCache::ArtifactPtr Products::take(Artifact made) {
  made.session_bound = facts_.session_bound; // only the process that emitted the module knows this
  return std::make_shared<const Artifact>(std::move(made));
}

} // namespace kiln
