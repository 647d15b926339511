// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "manifest.h"
#include "precompile.h"

#include <kiln/extension/language/internal/hint.h>
#include <session/session.h>
#include <targets/targets.h>

#include <set>

namespace kiln {

static constexpr uint64_t max_list = uint64_t(1) << 31;
static constexpr const char *format_hint =
    "docs/cache.md has the format of manifests; KILN_TRACE_JOBS=FILE records a trace";

Result<PrecompileList> KILN_API_VERSION::read_manifest(const std::string &path) {
  KILN_TRY(std::string text, read_file(path, max_list));
  return read_manifest_text(path, std::move(text));
}

Result<PrecompileList> KILN_API_VERSION::read_job_list(const std::string &path) {
  KILN_TRY(std::string text, read_file(path, max_list));
  const std::string_view mark = "{\"kiln_trace\":";
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos)
    return input_error(fmt::format("{} is empty: it holds no job", path), {}, format_hint);
  const std::string_view word =
      std::string_view(text).substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
  const bool is_cut_trace = word.size() > 1 && mark.starts_with(word);
  if (is_cut_trace || text.find(mark) != std::string::npos) return read_job_trace(path);
  if (path.ends_with(".jl"))
    return input_error(fmt::format("{} is Julia, and a manifest or a trace is expected", path), {},
                       format_hint);
  if (text[begin] != '{' && !parse_json(std::make_shared<const SourceFile>(0, path, text)).ok())
    return input_error(
        fmt::format("{} is neither a manifest (an object of JSON) nor a trace (lines that begin with {})",
                    path, mark),
        {}, format_hint);
  return read_manifest_text(path, std::move(text));
}

Fingerprint identity_of(const PrecompileJob &job) {
  Fingerprinter digest;
  digest.add("kiln precompile job 1").add(job.call).add(job.hidden_argument).add(job.product);
  for (const PrecompileFile &file : job.files) digest.add(file.name).add(file.digest);
  digest.add(uint64_t(job.captures.size()));
  for (const auto &[name, expression] : job.captures) digest.add(name).add(expression);
  // A Julia job's digest has no language, as before Kiln supported other languages. The digest selects the
  // job's shard; no cache key contains it.
  if (!job.language.empty()) digest.add("language").add(job.language);
  for (const PrecompileFile &file : job.files)
    if (!file.language.empty()) digest.add("language of a file").add(file.name).add(file.language);
  visit_fields(job.config, [&](std::string_view name, const auto &value) { digest.add(name).add(value); });
  return digest.finish();
}

std::vector<PrecompileJob> KILN_API_VERSION::shard_of(std::span<const PrecompileJob> jobs, unsigned index,
                                                      unsigned count) {
  std::vector<PrecompileJob> mine;
  for (const PrecompileJob &job : jobs)
    if (count && identity_of(job).low % count + 1 == index) mine.push_back(job);
  return mine;
}

Result<std::vector<PrecompileJob>> KILN_API_VERSION::for_architectures(std::span<const PrecompileJob> jobs,
                                                                       std::string_view architectures) {
  KILN_TRY(const std::vector<GpuArch> archs, parse_archs(option_hint("arch"), architectures));
  std::vector<PrecompileJob> all;
  std::set<Fingerprint> seen; // detects duplicate jobs
  auto add = [&](PrecompileJob job) {
    if (seen.insert(identity_of(job)).second) all.push_back(std::move(job));
  };
  for (const PrecompileJob &job : jobs) {
    const Target *target = find_target(job.config.target.name()); // an embedder's target stays unchanged
    if (!target || !target->gpu_code(job.config.target)) {
      add(job);
      continue;
    }
    for (GpuArch arch : archs) {
      PrecompileJob other = job;
      other.config.target = *target->for_architecture(job.config.target, arch_name(arch));
      add(std::move(other));
    }
  }
  return all;
}

std::string KILN_API_VERSION::describe(const PrecompileJob &job) {
  const CompilerConfig &config = job.config;
  const Target *target = find_target(config.target.name()); // null: an embedder's target
  const std::string cpu = target ? target->cpu(config.target) : std::string(config.target.name());
  std::string out = fmt::format("{} for {}", job.call, cpu.empty() ? "this CPU" : cpu);
  std::vector<std::pair<std::string, std::string>> fields, defaults;
  auto list = [](auto &into, const CompilerConfig &from) {
    visit_fields(from, [&](std::string_view name, const auto &value) {
      std::string text;
      if constexpr (std::is_convertible_v<decltype(value), std::string_view>)
        text = value;
      else
        text = fmt::format("{}", int64_t(value));
      if (!into.empty() && into.back().first == name)
        into.back().second += "," + text; // an array element
      else
        into.emplace_back(name, text);
    });
  };
  list(fields, config);
  CompilerConfig plain;
  if (target)
    if (auto spec = target->read_spec([](std::string_view, TargetOptionPlace) { return Result<void>(); });
        spec.ok())
      plain.target = *spec;
  list(defaults, plain);
  const std::set<std::string_view> told{"target", "cpu",           "features",
                                        "sm",     "arch_specific", "family_specific",
                                        "linked", "linked.kind",   "linked.digest"};
  for (const auto &field : fields)
    if (!told.contains(field.first) && !field.first.starts_with("nested.") &&
        std::ranges::find(defaults, field) == defaults.end())
      out += fmt::format(" {}={}", field.first, field.second);
  if (!config.linked.empty()) out += fmt::format(" linked={}", config.linked.size());
  return out;
}

Result<void> KILN_API_VERSION::load_files(Session &session, std::span<const PrecompileFile> files) {
  const ComputingCall call(gate_of(session));
  KILN_CHECK(call.check());
  return definitions_of(session).load_files(files);
}

Result<Job> KILN_API_VERSION::hold_job(Session &session, const PrecompileJob &entry) {
  const ComputingCall call(gate_of(session));
  KILN_CHECK(call.check());
  KILN_CHECK(check_languages(definitions_of(session), entry));
  JobService &jobs = jobs_of(session);
  auto use = jobs.use();
  KILN_TRY(const CompilerJob job, jobs.job(entry));
  return jobs.hold(job);
}

} // namespace kiln
