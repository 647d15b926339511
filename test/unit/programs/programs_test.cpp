// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs in an embedder's session, with and without the programs library.
#include "must.h"
#include "scratch.h"

#include <kiln/c_programs.h>
#include <kiln/kiln.h>
#include <kiln/program.h>
#include <session/session.h>

#include <fstream>

using namespace kiln;
using kiln::test::must;
using kiln::test::Scratch;

namespace {

constexpr const char *code = "f(x) = sqrt(x) + 1\nfunction k(y, x)\n    y[1] = sqrt(x)\n    return\nend\n";

std::unique_ptr<Session> open_with(HostLibrary *host) {
  SessionOptions options;
  options.cache_dir = "";
  options.host_library = host;
  auto session = must(Session::open(options));
  must(session->load("code.jl", code));
  return session;
}

Fingerprint key_of(Session &session, const char *call, bool kernel) {
  CompilerConfig config;
  config.kernel = kernel;
  JobService &jobs = jobs_of(session);
  auto use = jobs.use();
  return must(jobs.explain_key(must(jobs.job(call, config)), ArtifactKind::Assembly)).key;
}

std::string kernel_code(Session &session) {
  return std::string(must(session.compile("k(CuDeviceVector{Float64,1}, Float64)",
                                          {.target = PtxOptions{.sm = 80}}, ArtifactKind::Assembly))
                         ->bytes);
}

} // namespace

TEST_CASE("a program in a session without the programs library is a Usage error that says what to do") {
  auto session = open_with(nullptr);
  auto program = Program::make(*session, {});
  REQUIRE_FALSE(program.ok());
  CHECK(program.error().kind() == ErrorKind::Usage);
  CHECK_THAT(program.error().what(),
             Catch::Contains("link Kiln's programs library") &&
                 Catch::Contains("SessionOptions::host_library = &programs_library()"));
}

TEST_CASE("a session runs one program, and its kernels are those of a session without") {
  auto without = open_with(nullptr), with = open_with(&programs_library());
  std::string printed;
  ProgramOptions options{.arguments = {"a", "b"}};
  options.output = [&](std::string_view text) { printed += text; };
  auto program = must(Program::make(*with, options));
  auto second = Program::make(*with, {});
  REQUIRE_FALSE(second.ok());
  CHECK_THAT(second.error().what(), Catch::Contains("runs a program already"));
  must(program->run_text("text", "println(join(ARGS, '-'), ' ', f(9.0))"));
  CHECK(printed == "a-b 4.0\n");
  for (const char *kernel : {"k(CuDeviceVector{Float64,1}, Float64)"})
    CHECK(key_of(*without, kernel, true) == key_of(*with, kernel, true));
  CHECK(key_of(*without, "f(Float64)", false) != key_of(*with, "f(Float64)", false));
  CHECK(kernel_code(*without) == kernel_code(*with));
}

TEST_CASE("the name ARGS in Base changes nothing: a method of AbstractArray sees what kernels see") {
  auto session = open_with(nullptr);
  must(session->load("array.jl",
                     "kind(a::AbstractArray) = typeof(a) <: Array ? 1 : 2\nconst kinds = kind([1.0])\n"));
  must(session->define([](World &world) {
    return world.set_constant(*world.base(), world.types().symbol("ARGS"), world.types().int64(1), {});
  }));
  must(session->load("use.jl", "function put(y)\n    y[1] = kinds\n    return\nend\n"));
  int64_t y = 0;
  must(session->launch("put", {}, {Argument::array(&y, {1})}));
  CHECK(y == 2);
}

TEST_CASE("a session in C gets the programs library by its option") {
  const Scratch scratch;
  std::filesystem::create_directories(scratch.path / "Fills/src");
  std::ofstream(scratch.path / "Fills/src/Fills.jl")
      << "module Fills\nconst rules = Dict{Symbol,Int}()\nrules[:a] = 1\nend\n";
  auto load = [&](kiln_host_library *library) {
    kiln_session_options options{};
    options.struct_size = sizeof options;
    options.cache_dir = "";
    options.host_library = library;
    ::setenv("JULIA_LOAD_PATH", scratch.path.c_str(), 1);
    kiln_session *session = nullptr;
    kiln_error *error = nullptr;
    REQUIRE(kiln_session_open(&options, &session, &error) == 0);
    constexpr std::string_view text = "using Fills\n";
    const int status = kiln_load(session, "fills.jl", text.data(), text.size(), &error);
    ::unsetenv("JULIA_LOAD_PATH");
    kiln_error_free(error);
    kiln_session_close(session);
    return status;
  };
  CHECK(load(nullptr) == KILN_USAGE);
  CHECK(load(kiln_programs_library()) == 0);
}
