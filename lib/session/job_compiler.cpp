// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "job_compiler.h"

#include "observers.h"
#include "trace.h"

#include <architectures/architectures.h>
#include <support/guard_target.h>

namespace kiln {

// "f(Float32, Int64)", "ptx sm_90": as the timing report has them.
std::string JobCompiler::name_of(const CompilerJob &job) {
  std::string text = call_to_string(job.source->arguments->as<DataType>()->params());
  for (size_t at = 0; (at = text.find("::", at)) != std::string::npos;) text.erase(at, 2);
  return text;
}

std::string JobCompiler::target_text(const CompilerJob &job) const {
  const Target &target = target_of(job);
  const std::optional<GpuCode> code = target.gpu_code(job.config.target);
  return code ? fmt::format("{} {}", target.name(), arch_name(arch_of(*code))) : std::string(target.name());
}

// The options that are not the target's own defaults, but for the architecture, which target_text tells.
std::string JobCompiler::config_text(const CompilerJob &job) const {
  const Target &target = target_of(job);
  CompilerConfig defaults;
  std::unique_lock lock(defaults_mutex_);
  if (auto found = defaults_.find(&target); found != defaults_.end())
    defaults.target = found->second;
  else {
    lock.unlock(); // an embedder's target is asked
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

void JobCompiler::note(const CompilerJob &job, ArtifactKind kind, const Compiled &made) {
  if (trace_) trace_->record(job, kind);
  if (!timer_.enabled()) return;
  const std::string key = made.keys.empty() ? std::string() : made.keys.back().hex();
  timer_.set_job_key(key);
  if (kind != ArtifactKind::Cubin || UnobservedScope::is_active()) return;
  const ObjectCache::ArtifactPtr text = made.keys.size() > 1 ? compiler_.objects.find(made.keys[0]) : nullptr;
  const std::optional<GpuCode> code = target_of(job).gpu_code(job.config.target);
  kernels_.compiled(*made.artifact,
                    {name_of(job), key, text && text->kind == ArtifactKind::Assembly ? text->bytes.size() : 0,
                     code ? code->sm : 0});
}

Result<ObjectCache::ArtifactPtr> JobCompiler::compile(const CompilerJob &job, ArtifactKind kind) {
  KILN_TRY(Compiled made, compile_with_keys(job, kind));
  return std::move(made.artifact);
}

Result<Compiled> JobCompiler::compile_with_keys(const CompilerJob &job, ArtifactKind kind) {
  KILN_CHECK(check_product(kind));
  const TimedJob timed_job = timed(job);
  KILN_TRY(Compiled made, compiler_.compile_with_keys(job, target_of(job), kind));
  note(job, kind, made);
  return made;
}

Result<ObjectCache::ArtifactPtr> JobCompiler::cubin(
    const CompilerJob &job, const std::function<std::unique_ptr<Assembler>()> &fallback) {
  auto loadable = [&]() -> Result<ObjectCache::ArtifactPtr> {
    KILN_TRY(Compiled compiled, compiler_.loadable(job, target_of(job)));
    note(job, ArtifactKind::Cubin, compiled);
    return std::move(compiled.artifact);
  };
  const TimedJob timed_job = timed(job);
  auto made = guard_target(job.config, loadable);
  if (made.ok() || made.error().kind() != ErrorKind::Machine) return made;
  const auto toolkit = compiler_.assemblers.of(target_of(job));
  if (!toolkit.ok()) {
    log_.info("no assembler was found: the driver assembles {}", job.source->method->name.text());
    return cubin_by(job, *fallback());
  }
  const std::optional<GpuCode> code = target_of(job).gpu_code(job.config.target);
  if (!code) return made;
  const GpuArch arch = arch_of(*code);
  const PtxReader assembler = reader_of((*toolkit)->identity());
  if (check_reader(assembler, arch, isa_of(*code)).ok()) return made;
  log_.info("{}: the driver assembles {}", made.error().diagnostics()[0].message,
            job.source->method->name.text());
  const std::unique_ptr<Assembler> driver = fallback();
  const PtxReader both[] = {assembler, reader_of(driver->identity())};
  if (!check_reader(both[1], arch, isa_of(*code)).ok()) return none_reads(both, arch, isa_of(*code));
  return cubin_by(job, *driver);
}

Result<ObjectCache::ArtifactPtr> JobCompiler::quick_cubin(const CompilerJob &job) {
  const TimedJob timed_job = timed(job);
  KILN_TRY(Compiled made, compiler_.quick(job, target_of(job)));
  if (made.artifact) note(job, ArtifactKind::Cubin, made);
  return std::move(made.artifact);
}

std::vector<Result<Compiled>> JobCompiler::assemble_many(std::span<const CompilerJob> jobs) {
  std::vector<Result<Compiled>> all;
  all.reserve(jobs.size());
  while (all.size() < jobs.size()) { // those in a row that have one target
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

Result<ObjectCache::ArtifactPtr> JobCompiler::cubin_by(const CompilerJob &job, const Assembler &assembler) {
  const TimedJob timed_job = timed(job);
  KILN_TRY(Compiled made,
           guard_target(job.config, [&] { return compiler_.compile_with(job, target_of(job), assembler); }));
  note(job, ArtifactKind::Cubin, made);
  return std::move(made.artifact);
}

} // namespace kiln
