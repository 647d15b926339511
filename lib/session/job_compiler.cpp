// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "job_compiler.h"

#include "trace.h"

namespace kiln {

void JobCompiler::note(const CompilerJob &job, ArtifactKind kind, const Artifact &made) {
  if (trace_) trace_->record(job, kind);
  if (timer_.enabled() && kind == ArtifactKind::Cubin) kernels_.compiled(made, job.config.target, {});
}

Result<ObjectCache::ArtifactPtr> JobCompiler::compile(const CompilerJob &job, ArtifactKind kind) {
  KILN_CHECK(check_product(kind));
  KILN_TRY(ObjectCache::ArtifactPtr made, compiler_.compile(job, target_of(job), kind));
  note(job, kind, *made);
  return made;
}

Result<Compiled> JobCompiler::compile_with_keys(const CompilerJob &job, ArtifactKind kind) {
  KILN_CHECK(check_product(kind));
  KILN_TRY(Compiled made, compiler_.compile_with_keys(job, target_of(job), kind));
  note(job, kind, *made.artifact);
  return made;
}

Result<ObjectCache::ArtifactPtr> JobCompiler::cubin(
    const CompilerJob &job, const std::function<std::unique_ptr<Assembler>()> &fallback) {
  auto made = compile(job, ArtifactKind::Cubin);
  if (made.ok() || made.error().kind() != ErrorKind::Machine || compiler_.assemblers.of(target_of(job)).ok())
    return made;
  log_.info("no assembler was found: the driver assembles {}", job.source->method->name.text());
  return cubin_by(job, *fallback());
}

Result<ObjectCache::ArtifactPtr> JobCompiler::cubin_by(const CompilerJob &job, const Assembler &assembler) {
  KILN_TRY(Compiled made, compiler_.compile_with(job, target_of(job), assembler));
  note(job, ArtifactKind::Cubin, *made.artifact);
  return std::move(made.artifact);
}

} // namespace kiln
