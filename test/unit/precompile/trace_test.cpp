// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces of jobs: what a program compiled, written down and repeated.
#include "precompiled.h"

#include "store_language.h"

#include <set>
#include <thread>
#include <unistd.h>

using namespace kiln;
using namespace precompiled;
namespace fs = std::filesystem;

TEST_CASE("a trace repeats what a program compiled: then it compiles nothing") {
  Scratch scratch;
  SessionOptions recording = scratch.session();
  const std::string trace = (scratch.path / "trace").string();
  recording.trace_jobs = trace;
  CHECK(run_program(scratch, recording).compiled == 3);
  PrecompileList list = must(read_job_trace(trace));
  CHECK(list.warnings.empty());
  CHECK(list.skipped.empty());
  REQUIRE(list.jobs.size() == 3);
  CHECK(list.jobs[0].call == "scale(CuDeviceArray{Float32, 1, 1}, Val{2})");
  CHECK(list.jobs[2].product == ArtifactKind::Cubin);
  // A job is written once, found or compiled, by however many processes.
  CHECK(run_program(scratch, recording).compiled == 0);
  CHECK(must(read_job_trace(trace)).jobs.size() == 3);
  std::ifstream lines(trace);
  CHECK(std::count(std::istreambuf_iterator<char>(lines), {}, '\n') == 3);

  PrecompileReport report = fill(scratch, list.jobs, 2, "fresh");
  CHECK(report.counts.failed == 0);
  CHECK(report.counts.hits == 0);
  CHECK(report.changed.empty());
  Session::Counters counters = run_program(scratch, scratch.session("fresh"));
  CHECK(counters.compiled == 0);
  CHECK(counters.inferred == 0);

  // A file that is another one now is compiled as it is.
  write(scratch.path / "program.jl", std::string(program) + "# more\n");
  CHECK(fill(scratch, list.jobs).changed == std::vector<std::string>{(scratch.path / "program.jl").string()});
}

TEST_CASE("a trace of relative names is repeated from any folder") {
  Scratch scratch;
  const fs::path before = fs::current_path();
  SessionOptions recording = scratch.session();
  recording.trace_jobs = (scratch.path / "trace").string();
  auto run = [&](const SessionOptions &options) {
    fs::current_path(scratch.path);
    auto session = must(Session::open(options));
    must(session->load_file("program.jl"));
    must(session->compile(calls[0], {}, ArtifactKind::Object));
    session->flush_cache();
    fs::current_path(before);
    return session->counters().compiled;
  };
  CHECK(run(recording) == 1);
  PrecompileList list = must(read_job_trace(*recording.trace_jobs));
  REQUIRE(list.jobs.size() == 1);
  CHECK(list.jobs[0].files[0].name == "program.jl");
  CHECK(fill(scratch, list.jobs, 1, "fresh").made == 1);
  CHECK(run(scratch.session("fresh")) == 0);
}

TEST_CASE("a trace says what cannot be repeated, and why") {
  Scratch scratch;
  SessionOptions recording = scratch.session();
  recording.trace_jobs = (scratch.path / "trace").string();
  {
    auto session = must(Session::open(recording));
    must(session->load("in memory", "k(y) = (y[1] = 1f0; nothing)"));
    must(session->compile("k(CuDeviceVector{Float32,1})", {}, ArtifactKind::Object));
  }
  PrecompileList list = must(read_job_trace(*recording.trace_jobs));
  CHECK(list.jobs.empty());
  REQUIRE(list.skipped.size() == 1);
  CHECK(list.skipped[0].call == "k(CuDeviceArray{Float32, 1, 1})");
  CHECK(list.skipped[0].why == "the program loads in memory from memory: it lies in no file");
}

TEST_CASE("a method that was defined through the API is refused by name, and others are repeated") {
  Scratch scratch;
  SessionOptions recording = scratch.session();
  recording.trace_jobs = (scratch.path / "trace").string();
  {
    auto session = must(Session::open(recording));
    must(session->load_file((scratch.path / "program.jl").string()));
    auto defined = session->define([](World &world) -> Result<void> {
      auto one = [](BodyBuilder &body) -> Result<Operand> { return body.int64(1); };
      KILN_CHECK(define_function(
          world, {.module = world.main(), .name = world.types().symbol("mine"), .body = one}));
      return {};
    });
    REQUIRE(defined.ok());
    CompilerConfig plain;
    plain.kernel = false;
    must(session->compile("mine()", plain, ArtifactKind::Object));
    must(session->compile("factor()", plain, ArtifactKind::Object));
  }
  PrecompileList list = must(read_job_trace(*recording.trace_jobs));
  REQUIRE(list.jobs.size() == 1);
  CHECK(list.jobs[0].call == "factor()");
  REQUIRE(list.skipped.size() == 1);
  CHECK(list.skipped[0].call == "mine()");
  CHECK(list.skipped[0].why ==
        "method `mine` was defined through the API by Session::define or a kiln_define function");
}

TEST_CASE("a job that reaches a method of the API is not repeated, whatever its own method is") {
  Scratch scratch;
  SessionOptions recording = scratch.session();
  recording.trace_jobs = (scratch.path / "trace").string();
  write(scratch.path / "uses.jl", "deep(x) = uses(x) + 1f0\nuses(x) = mine() * x\nhost(x) = hosted(x)\n"
                                  "ir(x) = twice(x)\nmade(x) = generated(x)\nalone(x) = x + 1f0\n");
  {
    auto session = must(Session::open(recording));
    must(session->load_file((scratch.path / "uses.jl").string()));
    must(session->define([](World &world) -> Result<void> {
      auto one = [](BodyBuilder &body) -> Result<Operand> { return body.int64(1); };
      KILN_CHECK(define_function(
          world, {.module = world.main(), .name = world.types().symbol("mine"), .body = one}));
      auto same = [](BodyBuilder &body, std::span<const TypeRef>,
                     std::span<const TypeRef>) -> Result<Operand> { return body.argument(0); };
      KILN_CHECK(define_function(world, {.module = world.main(),
                                         .name = world.types().symbol("generated"),
                                         .parameters = {{world.types().symbol("x")}},
                                         .generate = same}));
      return {};
    }));
    must(session->define_host_function("hosted", {.arguments = {"Float32"}, .returns = "Float32"},
                                       reinterpret_cast<void *>(+[](float x) { return x; })));
    must(session->define_ir(
        {.name = "twice",
         .arguments = {"Float32"},
         .returns = "Float32",
         .ir = "define float @twice(float %x) {\n  %y = fadd float %x, %x\n  ret float %y\n}\n"}));
    CompilerConfig plain;
    plain.kernel = false;
    for (const char *call :
         {"deep(Float32)", "host(Float32)", "ir(Float32)", "made(Float32)", "alone(Float32)"})
      must(session->compile(call, plain, ArtifactKind::Object));
  }
  PrecompileList list = must(read_job_trace(*recording.trace_jobs));
  REQUIRE(list.jobs.size() == 1);
  CHECK(list.jobs[0].call == "alone(Float32)");
  REQUIRE(list.skipped.size() == 4);
  const std::string by_define = " was defined through the API by Session::define or a kiln_define function";
  CHECK(list.skipped[0].why == "method `mine`" + by_define);
  CHECK(list.skipped[1].why ==
        "method `hosted` was defined through the API by Session::define_host_function");
  CHECK(list.skipped[2].why == "method `twice` was defined through the API by Session::define_ir");
  CHECK(list.skipped[3].why == "method `generated`" + by_define);
}

TEST_CASE("a job of another language is repeated where the language is, and elsewhere refused by name") {
  Scratch scratch;
  write(scratch.path / "puts.store", "put: p v\n");
  SessionOptions recording = scratch.session();
  recording.trace_jobs = (scratch.path / "trace").string();
  auto with_language = [](SessionOptions options) {
    options.languages = {[](const LanguageHost &) { return std::make_unique<kiln::test::StoreFrontend>(); }};
    options.language = "store";
    return options;
  };
  {
    auto session = must(Session::open(with_language(recording)));
    must(session->load_file((scratch.path / "puts.store").string()));
    must(session->compile("put(global f32, f32)", {}, ArtifactKind::Object));
  }
  PrecompileList list = must(read_job_trace(*recording.trace_jobs));
  if (list.jobs.empty()) { // the language has no call_text of its own: its jobs name no call that it reads
    REQUIRE(list.skipped.size() == 1);
    CHECK_THAT(list.skipped[0].why, Catch::Contains("put cannot be named in another process"));
    std::string text = must(read_file(*recording.trace_jobs));
    const size_t call = text.find("\"call\":\""), why = text.find(",\"cannot_repeat\"");
    REQUIRE((call != text.npos && why != text.npos));
    text.replace(why, text.find('\n') - why, "}");
    text.replace(call + 8, text.find("\",", call + 8) - call - 8, "put(global f32, f32)");
    write(*recording.trace_jobs, text);
    list = must(read_job_trace(*recording.trace_jobs));
  }
  REQUIRE(list.jobs.size() == 1);
  CHECK(list.jobs[0].language == "store");
  CHECK(list.jobs[0].files[0].language == "store");
  PrecompileReport as_julia = fill(scratch, list.jobs);
  REQUIRE(as_julia.failures.size() == 1);
  CHECK_THAT(as_julia.failures[0].error.what(),
             Catch::Contains("the call put(global f32, f32) is written in the language store, which this "
                             "session does not have: it has julia") &&
                 Catch::Contains((scratch.path / "trace").string() + ":1") &&
                 Catch::Contains("SessionOptions::language_files"));
  PrecompileReport with = must(precompile(list.jobs, {.session = with_language(scratch.session("fresh"))}));
  CHECK(with.failures.empty());
  CHECK(with.made == 1);
  // Each job is read in its own language, whatever the options choose for calls.
  PrecompileReport julia =
      must(precompile(scratch.jobs({calls[0]}), {.session = with_language(scratch.session())}));
  CHECK(julia.failures.empty());
  auto session = must(Session::open(with_language(scratch.session())));
  auto held = hold_job(*session, scratch.jobs({calls[0]})[0]);
  REQUIRE_FALSE(held.ok());
  CHECK_THAT(held.error().what(),
             Catch::Contains("is written in the language julia") && Catch::Contains("reads it as store"));
}

TEST_CASE("a file without a whole line of a trace is an error that says what it is") {
  Scratch scratch;
  SessionOptions recording = scratch.session();
  const std::string trace = (scratch.path / "trace").string();
  recording.trace_jobs = trace;
  run_program(scratch, recording);
  const std::string whole = must(read_file(trace)), first = whole.substr(0, whole.find('\n'));
  auto says = [&](std::string_view text, std::string_view what) {
    write(trace, text);
    auto list = read_job_trace(trace);
    REQUIRE_FALSE(list.ok());
    CHECK(list.error().kind() == ErrorKind::Input);
    CHECK_THAT(list.error().what(),
               Catch::Contains(trace) && Catch::Contains(std::string(what)) && Catch::Contains("hint: "));
  };
  says("", "is empty: it holds no job");
  says(" \n\n", "is empty: it holds no job");
  says("root:x:0:0:root:/root:/bin/bash\n", "is no trace of jobs");
  says("{\"files\": [\"program.jl\"], \"jobs\": [\"f()\"]}\n",
       "manifests are read by the program `kiln precompile`");
  says(std::string("\x7f"
                   "ELF\2\1\1\0\0\0",
                   10),
       "is no trace of jobs");
  for (size_t cut = 1; cut < first.size(); cut += 11) {
    says(first.substr(0, cut), cut < trace_mark.size() ? "is no trace of jobs" : "the last line was cut off");
    says(first.substr(cut) + "\n", "is no trace of jobs");
  }
  CHECK_THAT(read_job_trace(scratch.path.string()).error().what(), Catch::Contains("it is a directory"));
  CHECK_THAT(read_job_trace((scratch.path / "none").string()).error().what(),
             Catch::Contains("No such file"));
}

TEST_CASE("lines that were cut off cost no other line") {
  Scratch scratch;
  SessionOptions recording = scratch.session();
  const std::string trace = (scratch.path / "trace").string();
  recording.trace_jobs = trace;
  run_program(scratch, recording);
  std::string whole = must(read_file(trace));
  const size_t first = whole.find('\n') + 1;
  for (size_t cut = 1; cut + 1 < first; cut++) {
    write(trace, whole.substr(0, cut) + whole); // killed while it wrote; another one went on
    PrecompileList list = must(read_job_trace(trace));
    CHECK(list.jobs.size() == 3);
    CHECK(list.warnings.size() == 1);
  }
  const size_t last = whole.rfind('\n', whole.size() - 2) + 1;
  for (size_t cut = last + 1; cut + 1 < whole.size(); cut += 7) {
    write(trace, whole.substr(0, cut));
    PrecompileList list = must(read_job_trace(trace));
    CHECK(list.jobs.size() == 2);
    REQUIRE(list.warnings.size() == 1);
    CHECK(list.warnings[0].find("cut off") != std::string::npos);
  }
  for (const char *line :
       {"{\"kiln_trace\":99}", "{\"kiln_trace\":1}", "[]",
        "{\"kiln_trace\":1,\"call\":\"f()\",\"product\":\"obj\",\"config\":{\"vector\":1},\"files\":[]}",
        "{\"kiln_trace\":1,\"call\":\"f()\",\"product\":\"obj\",\"config\":{\"strip\":1},\"files\":[]}"}) {
    write(trace, whole + line + "\n");
    PrecompileList list = must(read_job_trace(trace));
    CHECK(list.jobs.size() == 3);
    CHECK(list.warnings.size() == 1);
  }
}

TEST_CASE("a config comes back from its JSON as it was") {
  CompilerConfig config;
  config.target = PtxOptions{.sm = 90,
                             .arch_specific = true,
                             .ptx_isa = 80,
                             .max_threads = {256, 2, 1},
                             .required_threads = {1, 2, 3},
                             .cluster = {2, 1, 1},
                             .min_blocks = 2,
                             .max_registers = 64};
  config.target.fast_math = true;
  config.kernel = false;
  config.name = "name";
  config.entry_abi = EntryAbi::Packed;
  config.always_inline = true;
  config.opt_level = 3;
  config.debug_level = 0;
  config.libraries = config.optimize = config.cleanup = config.validate = false;
  config.strip = config.invariant_arguments = config.coarsen = config.check = config.interruptible = true;
  auto back = [](const CompilerConfig &c) {
    return must(
        config_from_json(must(parse_json(std::make_shared<const SourceFile>(0, "config", config_json(c)))),
                         must(list_targets({}))));
  };
  CHECK(back(config) == config);
  CHECK(back({}) == CompilerConfig());
  config.target = NativeOptions{"a \"cpu\"", "+a,-b"};
  config.target.contract = Contraction::On;
  CHECK(back(config) == config);
}

TEST_CASE("a line of a trace whose values mean nothing is left out, and named") {
  Scratch scratch;
  const std::string path = (scratch.path / "trace").string();
  auto line = [](std::string_view product, std::string_view config) {
    return fmt::format(
        "{{\"kiln_trace\":2,\"call\":\"f(Int64)\",\"product\":\"{}\",\"config\":{{{}}},\"files\":[]}}\n",
        product, config);
  };
  std::ofstream(path) << line("obj", "\"opt_level\":3") << line("spam", "")
                      << line("obj", "\"debug_level\":9") << line("obj", "\"opt_level\":-5");
  PrecompileList list = must(read_job_trace(path));
  CHECK(list.jobs.size() == 1);
  REQUIRE(list.warnings.size() == 3);
  CHECK_THAT(list.warnings[0], Catch::Contains(":2: left out: ") && Catch::Contains("`spam`"));
  CHECK_THAT(list.warnings[1], Catch::Contains(":3: left out: ") &&
                                   Catch::Contains("debug_level takes a whole number from 0 to 2, not 9"));
  CHECK_THAT(list.warnings[2], Catch::Contains(":4: left out: ") &&
                                   Catch::Contains("opt_level takes a whole number from 0 to 3, not -5"));
}

TEST_CASE("many threads and processes' worth of sessions write one trace") {
  Scratch scratch;
  SessionOptions recording = scratch.session();
  recording.trace_jobs = (scratch.path / "trace").string();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&, t] {
      auto session = Session::open(recording);
      if (!session.ok() || !(*session)->load_file((scratch.path / "program.jl").string()).ok()) return;
      for (int i = 0; i < 10; i++)
        (void)(*session)->compile("scale(CuDeviceVector{Float32,1}, Val{" + std::to_string(10 * t + i) + "})",
                                  {}, ArtifactKind::Object);
    });
  for (std::thread &thread : threads) thread.join();
  PrecompileList list = must(read_job_trace(*recording.trace_jobs));
  CHECK(list.jobs.size() == 40);
  CHECK(list.warnings.empty());
}
