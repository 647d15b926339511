// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln cache explain: looks a job up in the cache folder. After a miss, the command reports the most similar
// entry, how it differs, and the cost of the compile.
#include "../call.h"
#include "../json_object.h"
#include "../output.h"
#include "../progress_line.h"
#include "../with_session.h"
#include "cache_entries.h"

namespace kiln::tool {

namespace {

std::string text_of(const CacheExplanation::Cubin &cubin, bool is_text_there) {
  std::string out = fmt::format("cubin's key: {}\n", cubin.key);
  if (cubin.is_hit)
    return out + fmt::format("cubin: hit: {} bytes by {}, which took {:.2f} ms to assemble\n", cubin.bytes,
                             cubin.assembler, cubin.assemble_ms);
  if (!cubin.other_assembler.empty())
    return out + fmt::format("cubin: miss\n  assembler: {} there, {} here\n", cubin.other_assembler,
                             cubin.assembler);
  out += is_text_there ? "cubin: miss: this text was never assembled into this folder\n"
                       : "cubin: miss: its text is new\n";
  if (!cubin.not_assembled.empty())
    return out + fmt::format("cost of the miss: not known: {}\n", cubin.not_assembled);
  return out + fmt::format("cost of the miss: {:.2f} ms, assembled now\n", cubin.assemble_ms);
}

std::string text_of(const CacheExplanation &explanation) {
  std::string out = fmt::format("key: {}\n", explanation.key);
  if (explanation.is_hit) {
    out += fmt::format("hit: {} bytes, which took {:.2f} ms to compile\n", explanation.bytes,
                       explanation.compile_ms);
  } else {
    out += explanation.is_other_entry ? "miss: the entry holds something else\n" : "miss\n";
    if (explanation.nearest) {
      out += fmt::format("nearest: {}({}), which took {:.2f} ms to compile\n", explanation.nearest->function,
                         explanation.nearest->arguments, explanation.nearest->compile_ms);
      for (const std::string &difference : explanation.nearest->differences)
        out += fmt::format("  {}\n", difference);
    } else {
      out += "nearest: none, the folder holds no artifact\n";
    }
    out += fmt::format("cost of the miss: {:.2f} ms, compiled now\n", explanation.compile_ms);
  }
  return explanation.cubin ? out + text_of(*explanation.cubin, explanation.is_hit) : out;
}

JsonObject json_of(const CacheExplanation::Nearest &nearest) {
  return JsonObject()
      .add("function", nearest.function)
      .add("arguments", nearest.arguments)
      .add("compile_seconds", nearest.compile_ms / 1e3)
      .add("differences", nearest.differences);
}

JsonObject json_of(const CacheExplanation::Cubin &cubin) {
  return JsonObject()
      .add("key", cubin.key)
      .add("hit", cubin.is_hit)
      .add("size_bytes", cubin.bytes)
      .add("assembler", cubin.assembler)
      .add("other_assembler", cubin.other_assembler)
      .add("assemble_seconds", cubin.assemble_ms / 1e3)
      .add("not_assembled", cubin.not_assembled);
}

JsonObject json_of(std::string_view job, const CacheExplanation &explanation) {
  JsonObject out;
  out.add("job", job)
      .add("key", explanation.key)
      .add("hit", explanation.is_hit)
      .add("size_bytes", explanation.bytes)
      .add("compile_seconds", explanation.compile_ms / 1e3);
  if (explanation.nearest) out.add("nearest", json_of(*explanation.nearest));
  if (explanation.cubin) out.add("cubin", json_of(*explanation.cubin));
  return out;
}

struct ExplainOptions {
  CommonOptions common;
  CompileOptions compile;
  bool json = false;
};

/// Explains each job of a list (a manifest or trace). Consecutive jobs with equal files and language share
/// one session.
Result<void> explain_list(const ExplainOptions &options, const SessionOptions &opening,
                          const CacheFolder &folder) {
  const CommonOptions &common = options.common;
  const std::string &path = options.compile.inputs[0];
  if (!common.timings.empty())
    return usage_error("--timings is for a single session: a list has one for each set of files");
  KILN_TRY(PrecompileList list, read_job_list(path));
  std::vector<JsonObject> explained_jobs, skipped;
  size_t done = 0;
  std::optional<ProgressLine> progress(std::in_place, "explaining");
  for (auto first = list.jobs.begin(); first != list.jobs.end();) {
    const PrecompileJob &first_job = *first;
    auto last = std::find_if(first, list.jobs.end(), [&](const PrecompileJob &job) {
      return job.files != first_job.files || job.language != first_job.language;
    });
    KILN_CHECK(with_session(
        common, opening,
        [&](Session &session) -> Result<void> {
          for (; first != last; first++) {
            KILN_TRY(const Job job, hold_job(session, *first));
            KILN_TRY(const CacheExplanation explanation, folder.explain(session, job, first->product));
            progress->count(++done, list.jobs.size());
            if (options.json)
              explained_jobs.push_back(json_of(describe(*first), explanation));
            else
              KILN_CHECK(write_result({}, fmt::format("{}\n{}", describe(*first), text_of(explanation))));
          }
          return {};
        },
        &first_job));
  }
  progress.reset();
  for (const PrecompileList::Skipped &each : list.skipped)
    if (options.json)
      skipped.push_back(JsonObject().add("job", each.call).add("reason", each.why));
    else
      KILN_CHECK(
          write_result({}, fmt::format("{}\nnever a hit: it cannot be repeated: {}\n", each.call, each.why)));
  if (!options.json) return {};
  return write_result({}, JsonObject().add("jobs", explained_jobs).add("skipped", skipped).line());
}

Result<void> explain(const ExplainOptions &given) {
  const CommonOptions &common = given.common;
  const CompileOptions &options = given.compile;
  KILN_TRY(const CacheFolder folder, open_cache_folder(common));
  SessionOptions opening = common.session();
  opening.cache_dir = opening.shared_cache_dir = opening.trace_jobs = ""; // the command only reads the folder
  opening.remote.emplace(); // an empty list of remote stores: starts no kiln-agent
  if (options.inputs.size() == 1 && !options.inputs[0].ends_with(".jl"))
    return explain_list(given, opening, folder);
  if (options.inputs.size() < 2)
    return usage_error(
        "explain takes files and then a call: kiln cache explain FILE.jl... 'f(T1, T2)', or a manifest or trace");
  KILN_TRY(CompilerConfig config, options.config(/*kernel_by_default=*/true));
  CompileOptions wanted = options;
  if (wanted.emit.empty()) wanted.emit = capabilities_of(config.target).makes_objects ? "obj" : "asm";
  KILN_TRY(ArtifactKind kind, wanted.artifact(config.target));
  if (kind < ArtifactKind::Assembly)
    return usage_error("explain is for --emit asm, obj and cubin: others are not kept");
  return with_session(common, opening, [&](Session &session) -> Result<void> {
    KILN_CHECK(load_files(session, options.files()));
    Arguments arguments(session);
    KILN_TRY(const Job job, job_of_call(session, arguments, options, config));
    std::optional<ProgressLine> progress(std::in_place, "compiling, for the cost of the miss");
    KILN_TRY(const CacheExplanation explanation, folder.explain(session, job, kind));
    progress.reset();
    if (!given.json) return write_result({}, text_of(explanation));
    return write_result({}, JsonObject()
                                .add("jobs", std::vector{json_of(options.call(), explanation)})
                                .add("skipped", std::vector<JsonObject>())
                                .line());
  });
}

} // namespace

Action cache_explain_command(CLI::App &app) {
  auto options = std::make_shared<ExplainOptions>();
  options->common.add_to(app);
  options->common.add_packages_to(app);
  options->common.add_languages_to(app);
  options->compile.add_inputs_to(app, "files, then the call; or a manifest or trace");
  options->compile.add_to(app);
  add_json_to(app, options->json);
  return [options] { return explain(*options); };
}

} // namespace kiln::tool
