// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// @device_code_llvm and its kin: programs that hold them load, and in expressions that a session evaluates
// they show the jobs that the expression asks for. Launches are a function of the embedder's here, as in a
// REPL.
#include "must.h"
#include "scratch.h"

#include <catch2/catch.hpp>
#include <kiln/extension/language.h>
#include <kiln/kiln.h>
#include <session/session.h>

#include <fstream>
#include <sstream>

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::must;
using kiln::test::Scratch;

namespace {

struct Seen {
  std::string macro, call, text;
};

struct Program {
  std::vector<Seen> seen;
  std::unique_ptr<Session> session;

  Program() {
    SessionOptions options;
    options.cache_dir = std::string();
    options.verbosity = LogLevel::Error;
    options.device_code = [this](const DeviceCode &code) {
      seen.push_back({std::string(code.macro), code.job.call(), std::string(code.text)});
    };
    session = must(Session::open(options));
    must(interpreter_of(*session).add_host_function(
        *session->world().main(), "run_kernel",
        [this](Interpreter &, std::span<const Value> args) -> Result<Value> {
          KILN_CHECK(launch(*session, session->cpu(), args[0], {.blocks = {1, 1, 1}, .threads = {2, 1, 1}},
                            args.subspan(1)));
          return session->world().types().int64(4711);
        }));
    must(session->load("kernels.jl", R"(
using CUDA
function twice(y)
    @inbounds y[threadIdx().x] *= 2f0
    return
end
function thrice(y)
    @inbounds y[threadIdx().x] *= 3f0
    return
end
wrong(y) = undefined_function(y)
)"));
  }
  Result<Value> evaluate(const std::string &text) { return kiln::evaluate(*session, "line", text); }
};

} // namespace

TEST_CASE("an expression under @device_code_llvm keeps its value, and its jobs are shown") {
  Program program;
  Value value = must(program.evaluate("@device_code_llvm run_kernel(twice, zeros(Float32, 2))"));
  CHECK(int64_t(value.low_bits()) == 4711);
  REQUIRE(program.seen.size() == 1);
  CHECK(program.seen[0].macro == "@device_code_llvm");
  CHECK_THAT(program.seen[0].call, Contains("twice(CuDeviceArray{Float32"));
  CHECK_THAT(program.seen[0].text, Contains("define") && Contains("fadd") || Contains("fmul"));

  // Also what is in a cache; two jobs in their order; nothing outside of the scope.
  program.seen.clear();
  must(program.evaluate("run_kernel(twice, zeros(Float32, 2))"));
  CHECK(program.seen.empty());
  must(program.evaluate("@device_code_typed begin\n  run_kernel(thrice, zeros(Float32, 2))\n"
                        "  run_kernel(twice, zeros(Float32, 2))\nend"));
  REQUIRE(program.seen.size() == 2);
  CHECK_THAT(program.seen[0].call, Contains("thrice"));
  CHECK_THAT(program.seen[1].call, Contains("twice"));
  CHECK_THAT(program.seen[0].text, Contains("::"));
}

TEST_CASE("each macro shows its stage") {
  Program program;
  const std::string launch = " run_kernel(twice, zeros(Float32, 2))";
  auto shown = [&](const std::string &macro) {
    program.seen.clear();
    must(program.evaluate(macro + launch));
    return program.seen.size() == 1 ? program.seen[0].text : std::string("none");
  };
  CHECK_THAT(shown("@device_code_lowered"), Contains("threadIdx"));
  CHECK_THAT(shown("@device_code_llvm optimize=false"), Contains("define") && Contains("kiln."));
  CHECK_THAT(shown("@device_code_llvm optimize=true"), Contains("define") && !Contains("kiln.thread_idx"));
  CHECK_THAT(shown("@device_code_ptx"), Contains(".text"));
  CHECK_THAT(shown("@device_code_native"), Contains(".text"));
  CHECK_THAT(shown("@device_code_warntype"), Contains("Float32"));
  CHECK_THAT(shown("CUDA.@device_code_llvm"), Contains("define"));
}

TEST_CASE("@device_code writes a file for each stage") {
  Program program;
  Scratch scratch;
  const std::string folder = (scratch.path / "code").string();
  must(program.evaluate("@device_code dir=\"" + folder + "\" run_kernel(twice, zeros(Float32, 2))"));
  CHECK(program.seen.size() == 5);
  for (const char *name : {"lowered.jl", "typed.jl", "unopt.ll", "opt.ll", "asm"}) {
    std::ifstream file(folder + "/twice_1." + name);
    std::stringstream text;
    text << file.rdbuf();
    CHECK(text.str().size() > 20);
  }
}

TEST_CASE("what these macros do not take is an error, and so is an expression without jobs") {
  Program program;
  auto failure = [&](const std::string &text) {
    auto failed = program.evaluate(text);
    REQUIRE(!failed.ok());
    return failed.error().what();
  };
  CHECK_THAT(failure("@device_code_llvm 1 + 1"), Contains("no kernel was compiled or launched"));
  CHECK_THAT(failure("@device_code_llvm colour=true run_kernel(twice, zeros(Float32, 2))"),
             Contains("no keyword colour") && Contains("optimize"));
  CHECK_THAT(failure("@device_code run_kernel(twice, zeros(Float32, 2))"), Contains("it takes dir"));
  CHECK_THAT(failure("@device_code_llvm"), Contains("without an expression"));
  // A job that fails is told as ever.
  CHECK_THAT(failure("@device_code_llvm run_kernel(wrong, zeros(Float32, 2))"),
             Contains("undefined_function"));
}

TEST_CASE("programs with these macros load, and what they wrap keeps its meaning") {
  Program program;
  must(program.session->load("program.jl", R"(
@device_code_llvm @cuda threads=4 twice(CUDA.zeros(4))
@device_code dir="nowhere" @cuda twice(CUDA.zeros(4))
@device_code_llvm wrapped(x) = x + 1
@device_code_ptx begin
    also_wrapped(x) = x + 2
    @cuda twice(CUDA.zeros(4))
end
@device_code_typed number = 5
function host(A)
    @device_code_llvm @cuda threads=4 twice(A)
    return 7
end
inner(x) = @device_code_llvm x + 3
)"));
  CHECK(int64_t(must(program.evaluate("wrapped(1) + also_wrapped(1) + number")).low_bits()) == 2 + 3 + 5);
  CHECK(int64_t(must(program.evaluate("inner(1)")).low_bits()) ==
        4); // a function's body: the expression alone
  CHECK(program.seen.empty());
  CompilerConfig config;
  config.kernel = false;
  CHECK(program.session->compile("inner(Int64)", config, ArtifactKind::Assembly).ok());
  // The user's own macro of that name comes first.
  must(program.session->load("own.jl", "macro device_code_llvm(e)\n  :(1000 + $(esc(e)))\nend\n"));
  CHECK(int64_t(must(program.evaluate("@device_code_llvm 1")).low_bits()) == 1001);
}

TEST_CASE("without a listener the log has the code") {
  std::vector<std::string> lines;
  SessionOptions options;
  options.cache_dir = std::string();
  options.verbosity = LogLevel::Info;
  options.log = [&](LogLevel, std::string_view text) { lines.emplace_back(text); };
  auto session = must(Session::open(options));
  must(interpreter_of(*session).add_host_function(
      *session->world().main(), "run_kernel",
      [&](Interpreter &, std::span<const Value> args) -> Result<Value> {
        KILN_CHECK(launch(*session, session->cpu(), args[0], {.blocks = {1, 1, 1}, .threads = {1, 1, 1}},
                          args.subspan(1)));
        return session->world().types().nothing();
      }));
  must(session->load("k.jl", "function k(y)\n  y[1] = 1f0\n  return\nend\n"));
  must(evaluate(*session, "line", "@device_code_llvm run_kernel(k, zeros(Float32, 2))"));
  CHECK(std::ranges::any_of(lines, [](const std::string &line) {
    return line.find("@device_code_llvm k(") != std::string::npos && line.find("define") != std::string::npos;
  }));
}
