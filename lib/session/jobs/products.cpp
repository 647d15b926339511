// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "job_service.h"

#include "trace.h"

#include <architectures/architectures.h>
#include <support/guard_target.h>

#include <algorithm>

namespace kiln {

JobLabel JobService::label(const CompilerJob &job) const {
  const Target &target = target_of(job);
  const std::optional<GpuCode> code = target.gpu_code(job.config.target);
  return {spell_job(job.source->arguments->as<DataType>()->params()),
          code ? fmt::format("{} {}", target.name(), arch_name(arch_of(*code))) : std::string(target.name())};
}

// Returns the options that differ from the target's defaults, without the architecture, which is part of
// label().
std::string JobService::config_text(const CompilerJob &job) const {
  const Target &target = target_of(job);
  CompilerConfig defaults;
  std::unique_lock lock(defaults_mutex_);
  if (auto found = defaults_.find(&target); found != defaults_.end())
    defaults.target = found->second;
  else {
    lock.unlock(); // this calls the embedder's target
    auto spec = guard_target(job.config, [&] {
      auto read =
          target.read_spec([](std::string_view, const TargetOptionPlace &) { return Result<void>(); });
      return read.ok() ? target.check(std::move(*read)) : std::move(read);
    });
    if (spec.ok())
      defaults.target = std::move(*spec);
    else
      defaults.target = job.config.target;
    lock.lock();
    defaults_.emplace(&target, defaults.target);
  }
  lock.unlock();
  if (const std::optional<GpuCode> code = target.gpu_code(job.config.target))
    if (auto same = target.for_architecture(defaults.target, arch_name(arch_of(*code))))
      defaults.target = std::move(*same);
  return config_difference(job.config, defaults);
}

TimedJob JobService::timed(const CompilerJob &job, bool continues) const {
  auto describe = [&] {
    JobLabel label = this->label(job);
    return std::tuple(std::move(label.name), std::move(label.target), config_text(job));
  };
  return TimedJob(&log_.timer, describe, continues);
}

// Cache hits have no typed code: a library's function then has no place.
Location JobService::user_place(const CompilerJob &job) const {
  constexpr size_t max_searched = 1000;
  const SourceMap &sources = definitions_.world().sources();
  const Location own = sources.locate(job.source->method->at);
  if (!own || !own.file->is_library()) return own;
  std::vector<const CodeInstance *> found; // breadth first
  if (const CodeInstance *code = definitions_.code().find(*job.source, facts_of(job), job.world))
    found.push_back(code);
  for (size_t i = 0; i < found.size() && found.size() < max_searched; i++)
    for (const CodeInstance *callee : found[i]->callees) {
      if (std::ranges::find(found, callee) != found.end()) continue;
      const Location place = sources.locate(callee->instance->method->at);
      if (place && !place.file->is_library()) return place;
      found.push_back(callee);
    }
  return {};
}

void JobService::note(const CompilerJob &job, ArtifactKind kind, const Compiled &made) {
  if (trace_) trace_->record(job, kind, [&] { return typed(job); });
  if (!log_.timer.enabled()) return;
  const std::string key = made.keys.empty() ? std::string() : made.keys.back().hex();
  log_.timer.set_job_key(key);
  if (!log_.timer.knows_place()) {
    const Location place = user_place(job);
    if (place) log_.timer.note_place(place.file_name(), uint32_t(place.line()));
  }
  if (kind != ArtifactKind::Cubin || UnobservedScope::is_active()) return;
  const ObjectCache::ArtifactPtr text = made.keys.size() > 1 ? objects_.find(made.keys[0]) : nullptr;
  const std::optional<GpuCode> code = target_of(job).gpu_code(job.config.target);
  log_.kernels.compiled(*made.artifact,
                        {label(job).name, key,
                         text && text->kind == ArtifactKind::Assembly ? text->bytes.size() : 0,
                         code ? code->sm : 0});
}

Result<Compiled> JobService::placed(Result<Compiled> made) const {
  if (made.ok()) return made;
  Error error = made.take_error();
  for (Diagnostic &fault : error.diagnostics()) {
    if (fault.code != ErrorCode::InvalidIRError || fault.subject.empty()) continue;
    if (Location at = ir_.place_of_call(fault.subject)) fault.at = std::move(at);
  }
  return error;
}

Result<ObjectCache::ArtifactPtr> JobService::compile(const CompilerJob &job, ArtifactKind kind) {
  KILN_TRY(Compiled made, compile_with_keys(job, kind));
  return std::move(made.artifact);
}

Result<Compiled> JobService::compile_with_keys(const CompilerJob &job, ArtifactKind kind) {
  KILN_CHECK(check_product(kind));
  const TimedJob timed_job = timed(job);
  KILN_TRY(Compiled made, placed(compiler_.compile_with_keys(job, target_of(job), kind)));
  note(job, kind, made);
  return made;
}

Result<Compiled> JobService::cubin(const CompilerJob &job,
                                   const std::function<std::unique_ptr<Assembler>()> &fallback) {
  const TimedJob timed_job = timed(job);
  auto made = guard_target(job.config, [&]() -> Result<Compiled> {
    KILN_TRY(Compiled loaded, placed(loadable(job)));
    note(job, ArtifactKind::Cubin, loaded);
    return loaded;
  });
  if (made.ok() || made.error().kind() != ErrorKind::Machine) return made;
  const auto toolkit = assemblers_.of(target_of(job));
  if (!toolkit.ok()) {
    log_.log.info("no assembler was found: the driver assembles {}", job.source->method->name.text());
    return cubin_by(job, *fallback());
  }
  const std::optional<GpuCode> code = target_of(job).gpu_code(job.config.target);
  if (!code) return made;
  const GpuArch arch = arch_of(*code);
  const PtxReader assembler = reader_of((*toolkit)->identity());
  if (check_reader(assembler, arch, isa_of(*code)).ok()) return made;
  log_.log.info("{}: the driver assembles {}", made.error().diagnostics()[0].message,
                job.source->method->name.text());
  const std::unique_ptr<Assembler> driver = fallback();
  const PtxReader both[] = {assembler, reader_of(driver->identity())};
  if (!check_reader(both[1], arch, isa_of(*code)).ok()) return none_reads(both, arch, isa_of(*code));
  return cubin_by(job, *driver);
}

Result<Compiled> JobService::quick_cubin(const CompilerJob &job) {
  const TimedJob timed_job = timed(job);
  KILN_TRY(Compiled made, compiler_.quick(job, target_of(job)));
  if (made.artifact) note(job, ArtifactKind::Cubin, made);
  return made;
}

Result<Compiled> JobService::first_tier(const CompilerJob &job) {
  const TimedJob timed_job = timed(job);
  KILN_TRY(Compiled made, placed(compiler_.first_tier(job, target_of(job))));
  if (made.artifact) note(job, ArtifactKind::Object, made);
  return made;
}

std::vector<Result<Compiled>> JobService::assemble_many(std::span<const CompilerJob> jobs) {
  std::vector<Result<Compiled>> all;
  all.reserve(jobs.size());
  while (all.size() < jobs.size()) { // each iteration handles consecutive jobs with the same target
    const std::span<const CompilerJob> rest = jobs.subspan(all.size());
    const Target &target = target_of(rest[0]);
    size_t count = 1;
    while (count < rest.size() && &target_of(rest[count]) == &target) count++;
    const auto time = [this](const CompilerJob &job, bool continues) { return timed(job, continues); };
    for (Result<Compiled> &each : compiler_.assemble_many(rest.first(count), target, time)) {
      if (each.ok()) {
        const TimedJob timed_job = timed(jobs[all.size()], true);
        note(jobs[all.size()], ArtifactKind::Cubin, *each);
      }
      all.push_back(std::move(each));
    }
  }
  return all;
}

Result<Compiled> JobService::cubin_by(const CompilerJob &job, const Assembler &assembler) {
  const TimedJob timed_job = timed(job);
  KILN_TRY(Compiled made,
           guard_target(job.config, [&] { return compiler_.compile_with(job, target_of(job), assembler); }));
  note(job, ArtifactKind::Cubin, made);
  return made;
}

} // namespace kiln
