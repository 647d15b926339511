// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln compile: compiles a call and writes the product that --emit selects to standard output or a file. For
// several calls, it writes one file each into a folder.
#include "../call.h"
#include "../command.h"
#include "../cubin.h"
#include "../output.h"
#include "../with_session.h"
#include "compile_calls.h"

#include <kiln/cache.h>

#include <unistd.h>

#include <filesystem>
#include <thread>

namespace kiln::tool {

namespace {

/// Returns true if the output is a folder: for several calls or architectures, if the path of -o ends with
/// `/`, or if that path is an existing folder.
bool wants_folder(const CompileOptions &options, size_t configs) {
  std::error_code none;
  return options.calls().size() > 1 || configs > 1 || options.output.ends_with('/') ||
         std::filesystem::is_directory(options.output, none);
}

Result<void> compile_in(Session &session, const CompileOptions &options,
                        std::span<const CompilerConfig> configs, ArtifactKind kind) {
  KILN_CHECK(load_files(session, options.files()));
  if (wants_folder(options, configs.size())) return compile_calls(session, options, configs, kind);
  Arguments arguments(session);
  KILN_TRY(const Job job, job_of_call(session, arguments, options, configs[0]));
  KILN_TRY(auto artifact, job.compile(kind));
  const TimingScope writing = session.time(stage_name(Stage::WriteResults));
  if (kind == ArtifactKind::Cubin) warn_of_spills(*artifact);
  KILN_TRY(std::string text, result_text(options, job.config(), *artifact));
  return write_result(options.output, text);
}

Result<void> compile(const CommonOptions &common, const CompileOptions &options) {
  KILN_CHECK(common.check());
  if (options.inputs.size() < 2 || options.call().ends_with(".jl"))
    return usage_error("compile takes files and then a call: kiln compile FILE.jl... 'f(T1, T2)'");
  KILN_TRY(const std::vector<CompilerConfig> configs,
           options.configs(!runs_on_host(options.option("target"))));
  const bool several = wants_folder(options, configs.size());
  if (several && (options.output.empty() || options.output == "-"))
    return usage_error(fmt::format("several {} have several artifacts: name a folder for them with -o DIR/",
                                   configs.size() > 1 ? "architectures" : "calls"));
  KILN_TRY(ArtifactKind kind, options.artifact(configs[0].target));
  if ((options.emit == "obj" || options.emit == "cubin") && options.output.empty() && ::isatty(STDOUT_FILENO))
    return usage_error(
        fmt::format("--emit {} writes no text to a terminal: name a file with -o", options.emit));
  if (!several) KILN_CHECK(check_writable(options.output));
  const std::string report(read_timing_form(common.timings).file);
  std::error_code none;
  if (report == "-" && !several && (options.output.empty() || options.output == "-"))
    return usage_error(
        fmt::format("--timings={} and the product are both for standard output: name a file, or leave :- "
                    "out for standard error",
                    common.timings));
  if (!report.empty() && (options.is_input(report) || report == options.output ||
                          std::filesystem::equivalent(report, options.output, none)))
    return usage_error(fmt::format("--timings={} would overwrite {}", common.timings,
                                   options.is_input(report) ? "an input" : "the product"));

  SessionOptions opening = common.session();
  opening.colour = options.emit == "warntype" || (options.output.empty() && wants_colour(STDOUT_FILENO));
  bool needs_llvm = kind != ArtifactKind::Lowered && kind != ArtifactKind::Typed;
  // Initialise LLVM early on another thread, but not with a cache folder: a hit there needs no LLVM.
  if (needs_llvm && cache_folder_path(opening).empty() && std::thread::hardware_concurrency() > 1)
    opening.warm_up = configs[0];
  return with_session(common, opening,
                      [&](Session &session) { return compile_in(session, options, configs, kind); });
}

} // namespace

Action compile_command(CLI::App &app) {
  struct Options {
    CompileOptions compile;
    CommonOptions common;
  };
  auto options = std::make_shared<Options>();
  options->compile.takes_calls = true;
  options->compile.add_inputs_to(app, "files, then the call, or several");
  options->compile.add_to(app);
  options->common.add_to(app);
  options->common.add_packages_to(app);
  options->common.add_languages_to(app);
  options->common.add_workers_to(app);
  return [options] { return compile(options->common, options->compile); };
}

} // namespace kiln::tool
