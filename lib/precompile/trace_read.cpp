// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a list of jobs from a trace, which a session recorded.
#include "precompile.h"

#include <session/session.h>
#include <targets/targets.h>

#include <filesystem>
#include <set>

namespace kiln {

namespace {

Result<std::string> text_of(const JsonValue &object, std::string_view name) {
  const JsonValue *value = object.find(name);
  if (!value || !value->is(JsonValue::Kind::String))
    return input_error(fmt::format("a line without {}", name), object.at);
  return value->text;
}

Result<PrecompileJob> job_from(const JsonValue &line, const TargetList &targets) {
  const JsonValue *version = line.find("kiln_trace"), *config = line.find("config"),
                  *files = line.find("files");
  if (!version || version->text != std::to_string(trace_version))
    return input_error("another version of the format", line.at);
  if (!config || !files) return input_error("a line without config or files", line.at);
  PrecompileJob job;
  job.at = line.at;
  KILN_TRY(job.call, text_of(line, "call"));
  KILN_TRY(std::string product, text_of(line, "product"));
  KILN_TRY(job.config, config_from_json(*config, targets));
  if (product != "cubin" && product != "obj" && product != "asm")
    return input_error(fmt::format("a product is cubin, obj or asm, not `{}`", product), line.at);
  job.product = product == "cubin" ? ArtifactKind::Cubin
                : product == "obj" ? ArtifactKind::Object
                                   : ArtifactKind::Assembly;
  const Target &target = targets.of(job.config.target);
  KILN_CHECK(check_config(job.config, target));
  if (target.capabilities(job.config.target).makes_cubins)
    job.product = ArtifactKind::Cubin; // a cubin includes its text
  auto language_of = [](const JsonValue &object) {
    const JsonValue *language = object.find("language");
    return language ? language->text : std::string();
  };
  job.language = language_of(line);
  for (const JsonValue &file : files->items) {
    PrecompileFile named;
    named.language = language_of(file);
    KILN_TRY(named.name, text_of(file, "name"));
    KILN_TRY(named.folder, text_of(file, "folder"));
    KILN_TRY(named.digest, text_of(file, "digest"));
    job.files.push_back(std::move(named));
  }
  return job;
}

/// Error for a file that has no complete line of a trace. `why`: what is wrong with its first line; may be
/// empty.
Error no_trace(const std::string &path, std::string_view text, const std::string &why) {
  const std::string hint =
      "KILN_TRACE_JOBS=FILE or SessionOptions::trace_jobs records a trace; manifests are "
      "read by the program `kiln precompile`";
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return input_error(fmt::format("{} is empty: it holds no job", path), {}, hint);
  if (text.find(trace_mark) == std::string_view::npos)
    return input_error(fmt::format("{} is no trace of jobs: no line begins with {}", path, trace_mark), {},
                       hint);
  return input_error(fmt::format("no job can be read from the trace {}: {}", path, why), {},
                     "the trace was cut off or altered: record it again");
}

} // namespace

Result<PrecompileList> KILN_API_VERSION::read_job_trace(const std::string &path,
                                                        std::span<const Target *const> others) {
  KILN_TRY(const TargetList targets, list_targets(others));
  KILN_TRY(std::string content, read_file(path, uint64_t(1) << 31));
  const auto file = std::make_shared<const SourceFile>(0, path, std::move(content));
  const std::string_view text = file->text();
  PrecompileList list;
  std::set<Fingerprint> seen;
  std::set<std::pair<std::string, std::string>> skipped;
  size_t whole_lines = 0;
  auto warn = [&](size_t at, std::string_view why) {
    list.warnings.push_back(fmt::format("{}:{}: left out: {}", path, file->position(uint32_t(at)).line, why));
  };
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    size_t start = begin;
    begin = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    // A process that was killed leaves an incomplete line, and the next process writes its line right after
    // it.
    if (size_t last = line.rfind(trace_mark); last != std::string_view::npos && last > 0) {
      warn(start, "a line that was cut off");
      start += last;
    }
    Result<JsonValue> value = parse_json(file, start, end);
    if (!value.ok()) {
      warn(start, end == text.size() ? "the last line was cut off" : value.error().diagnostics()[0].message);
      continue;
    }
    if (value->find("kiln_trace")) whole_lines++;
    if (const JsonValue *why = value->find("cannot_repeat")) {
      const JsonValue *call = value->find("call");
      if (skipped.emplace(call ? call->text : "", why->text).second)
        list.skipped.push_back({call ? call->text : "", why->text});
      continue;
    }
    Result<PrecompileJob> job = job_from(*value, targets);
    if (!job.ok())
      warn(start, job.error().diagnostics()[0].message);
    else if (seen.insert(identity_of(*job)).second)
      list.jobs.push_back(std::move(*job));
  }
  if (whole_lines == 0) return no_trace(path, text, list.warnings.empty() ? std::string() : list.warnings[0]);
  return list;
}

} // namespace kiln
