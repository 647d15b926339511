// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln advise: explains why a kernel is slow, with the source line and a suggested rewrite.
#include "../call.h"
#include "../command.h"
#include "../output.h"
#include "../with_session.h"

#include <kiln/advise.h>
#include <support/count.h>

namespace kiln::tool {

namespace {

struct Options {
  CompileOptions compile;
  CommonOptions common;
  bool json = false;
};

std::string without_line_end(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

/// Compiles the single call in `one` and looks for reasons why its kernel is slow.
Result<AdviceReport> advise_on(Session &session, Arguments &arguments, const CompileOptions &one,
                               const CompilerConfig &config) {
  KILN_TRY(const Job job, job_of_call(session, arguments, one, config));
  return advise(session, job);
}

/// Prints a note on standard error if no rule found a problem. Standard output has only findings.
void note_if_empty(const AdviceReport &found) {
  if (found.advice.empty()) note(fmt::format("nothing found by {}", counted(found.num_checked, "rule")));
}

/// Prints the advice for each call of the command line. With several calls, each gets a heading, and a call
/// that fails to compile does not stop the others.
Result<void> advise_in(Session &session, const Options &options, const CompilerConfig &config) {
  KILN_CHECK(load_files(session, options.compile.files()));
  Arguments arguments(session);
  const std::vector<std::string> calls = options.compile.calls();
  if (calls.size() == 1) {
    KILN_TRY(AdviceReport found, advise_on(session, arguments, options.compile, config));
    if (!options.json) note_if_empty(found);
    return write_result(options.compile.output, options.json ? advice_json(found) : advice_text(found));
  }
  std::string text;
  size_t failed = 0;
  ErrorKind worst = ErrorKind::Input;
  CompileOptions one = options.compile;
  one.inputs = options.compile.files();
  one.inputs.emplace_back();
  for (const std::string &call : calls) {
    one.inputs.back() = call;
    auto found = advise_on(session, arguments, one, config);
    if (!found.ok()) {
      failed++;
      worst = std::max(worst, found.error().kind());
      report(found.error());
      continue;
    }
    text += options.json ? fmt::format("{}\n{{\"call\":{},\"report\":{}}}", text.empty() ? "" : ",",
                                       json_string(call), without_line_end(advice_json(*found)))
                         : fmt::format("{}:\n{}", call, advice_text(*found));
    if (!options.json) note_if_empty(*found);
  }
  KILN_CHECK(write_result(options.compile.output, options.json ? fmt::format("[{}\n]\n", text) : text));
  if (!failed) return {};
  return Error(general_code(worst), fmt::format("{} of {} calls failed", failed, calls.size()));
}

Result<void> advise_of(const Options &options) {
  KILN_CHECK(options.common.check());
  if (options.compile.inputs.size() < 2 || options.compile.call().ends_with(".jl"))
    return usage_error("advise takes files and then a call: kiln advise FILE.jl... 'f(T1, T2)'");
  if (!options.compile.emit.empty()) return usage_error("advise has one result: leave --emit out");
  CompileOptions compile = options.compile;
  if (compile.option("target").empty()) compile.set_option("target", "ptx");
  if (compile.option("target") == "cpu") compile.set_option("target", "native");
  KILN_TRY(CompilerConfig config, compile.config(true));
  KILN_CHECK(check_writable(compile.output));
  return with_session(options.common, [&](Session &session) { return advise_in(session, options, config); });
}

} // namespace

Action advise_command(CLI::App &app) {
  auto options = std::make_shared<Options>();
  options->compile.takes_calls = true;
  options->compile.add_inputs_to(app, "files, then the call, or several calls");
  options->compile.add_to(app);
  app.get_option("--target")->description("ptx (default) or native");
  app.add_flag("--json", options->json, "as JSON, for programs");
  options->common.add_to(app);
  options->common.add_packages_to(app);
  options->common.add_languages_to(app);
  return [options] { return advise_of(*options); };
}

} // namespace kiln::tool
