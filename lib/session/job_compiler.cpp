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
  auto loadable = [&]() -> Result<ObjectCache::ArtifactPtr> {
    KILN_TRY(Compiled compiled, compiler_.loadable(job, target_of(job)));
    note(job, ArtifactKind::Cubin, *compiled.artifact);
    return std::move(compiled.artifact);
  };
  auto made = loadable();
  if (made.ok() || made.error().kind() != ErrorKind::Machine || compiler_.assemblers.of(target_of(job)).ok())
    return made;
  log_.info("no assembler was found: the driver assembles {}", job.source->method->name.text());
  return cubin_by(job, *fallback());
}

std::vector<Result<Compiled>> JobCompiler::assemble_many(std::span<const CompilerJob> jobs) {
  std::vector<Result<Compiled>> all;
  all.reserve(jobs.size());
  while (all.size() < jobs.size()) { // those in a row that have one target
    const std::span<const CompilerJob> rest = jobs.subspan(all.size());
    const Target &target = target_of(rest[0]);
    size_t count = 1;
    while (count < rest.size() && &target_of(rest[count]) == &target) count++;
    for (Result<Compiled> &each : compiler_.assemble_many(rest.first(count), target)) {
      if (each.ok()) note(jobs[all.size()], ArtifactKind::Cubin, *each->artifact);
      all.push_back(std::move(each));
    }
  }
  return all;
}

Result<ObjectCache::ArtifactPtr> JobCompiler::cubin_by(const CompilerJob &job, const Assembler &assembler) {
  KILN_TRY(Compiled made, compiler_.compile_with(job, target_of(job), assembler));
  note(job, ArtifactKind::Cubin, *made.artifact);
  return std::move(made.artifact);
}

} // namespace kiln
