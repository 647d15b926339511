// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arguments.h"
#include "commands.h"
#include "cubin.h"
#include "iteration_space.h"
#include "output.h"

#include <ptx/ptx.h>

#include <unistd.h>

#include <thread>

namespace kiln::tool {

Result<CompilerJob> job_of_call(Session::State &state, Arguments &arguments, const CompileOptions &options,
                                const CompilerConfig &config) {
  KILN_TRY(auto captures, arguments.captures(options.captures));
  KILN_TRY(auto signature, parse_call(state, options.call(), captures));
  KILN_TRY(std::string context, context_expression(options));
  if (!context.empty()) {
    KILN_TRY(Value value, state.evaluate("--workgroupsize", context));
    signature.arguments.insert(signature.arguments.begin(), value.type());
  }
  return state.job(signature.function, signature.arguments, config, signature.at);
}

namespace {

Result<void> compile_in(Session &session, const CompileOptions &options, const CompilerConfig &config,
                        ArtifactKind kind) {
  KILN_CHECK(load_files(session, options.files()));
  Session::State &state = session.state();
  Arguments arguments(session);
  KILN_TRY(CompilerJob job, job_of_call(state, arguments, options, config));
  KILN_TRY(auto artifact, state.compile(job, kind));
  if (kind == ArtifactKind::Cubin) warn_of_spills(*artifact, state.log);
  if (options.emit == "resources") return write_result(options.output, resources_text(*artifact, job.config));
  if (options.emit == "sass") {
    KILN_TRY(std::string text, disassemble_cubin(artifact->bytes));
    return write_result(options.output, text);
  }
  std::string_view bytes = artifact->bytes;
  if (kind == ArtifactKind::Object || kind == ArtifactKind::Cubin || bytes.ends_with('\n'))
    return write_result(options.output, bytes);
  return write_result(options.output, fmt::format("{}\n", bytes));
}

} // namespace

Result<void> compile(const CommonOptions &common, const CompileOptions &options) {
  if (options.inputs.size() < 2 || options.call().ends_with(".jl"))
    return usage_error("compile takes files and then a call: kiln compile FILE.jl... 'f(T1, T2)'");
  KILN_TRY(CompilerConfig config, options.config(options.target == "ptx"));
  KILN_TRY(ArtifactKind kind, options.artifact(config.target));
  if ((options.emit == "obj" || options.emit == "cubin") && options.output.empty() && ::isatty(STDOUT_FILENO))
    return usage_error(
        fmt::format("--emit {} writes no text to a terminal: name a file with -o", options.emit));
  KILN_CHECK(check_writable(options.output));

  SessionOptions opening = common.session();
  opening.colour = options.output.empty() && wants_colour(STDOUT_FILENO);
  bool needs_llvm = kind != ArtifactKind::Lowered && kind != ArtifactKind::Typed;
  // Where a folder may have it, LLVM is not woken before it turns out to be needed.
  if (needs_llvm && cache_folder(opening).empty() && std::thread::hardware_concurrency() > 1)
    opening.warm_up = config;
  KILN_TRY(std::unique_ptr<Session> session, Session::open(opening));
  Result<void> done = compile_in(*session, options, config, kind);
  Result<void> timed = write_timings(*session, common); // also of what failed
  session->flush_cache();
  [[maybe_unused]] Session *left = session.release(); // main leaves without taking it apart
  return done.ok() ? std::move(timed) : std::move(done);
}

} // namespace kiln::tool
