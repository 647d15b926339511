// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln advise: what makes a kernel slow, with the place in its source and what to write instead.
#include "../call.h"
#include "../command.h"
#include "../output.h"
#include "../with_session.h"

#include <advise/advise.h>

namespace kiln::tool {

namespace {

struct Options {
  CompileOptions compile;
  CommonOptions common;
  bool json = false;
};

Result<void> advise_in(Session &session, const Options &options, const CompilerConfig &config) {
  KILN_CHECK(load_files(session, options.compile.files()));
  Session::State &state = session.state();
  Arguments arguments(session);
  KILN_TRY(CompilerJob job, job_of_call(state, arguments, options.compile, config));
  KILN_TRY(AdviceReport report, advise(session, HeldJobs::as_job(state.held->hold(job))));
  return write_result(options.compile.output, options.json ? advice_json(report) : advice_text(report));
}

Result<void> advise_of(const Options &options) {
  KILN_CHECK(options.common.check());
  if (options.compile.inputs.size() < 2 || options.compile.call().ends_with(".jl"))
    return usage_error("advise takes files and then a call: kiln advise FILE.jl... 'f(T1, T2)'");
  if (!options.compile.emit.empty()) return usage_error("advise has one result: leave --emit out");
  CompileOptions compile = options.compile;
  if (compile.target.empty()) compile.target = "ptx";
  if (compile.target == "cpu") compile.target = "native";
  KILN_TRY(CompilerConfig config, compile.config(true));
  KILN_CHECK(check_writable(compile.output));
  return with_session(options.common, [&](Session &session) { return advise_in(session, options, config); });
}

} // namespace

Action advise_command(CLI::App &app) {
  auto options = std::make_shared<Options>();
  options->compile.add_inputs_to(app, "files, then the call");
  options->compile.add_to(app);
  app.get_option("--target")->description("ptx (default) or native");
  app.add_flag("--json", options->json, "as JSON, for programs");
  options->common.add_to(app);
  return [options] { return advise_of(*options); };
}

} // namespace kiln::tool
