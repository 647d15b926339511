// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sessions with a time limit for the assembler, which is a script that takes as long as it likes.
#include "must.h"
#include "scratch.h"
#include "variables.h"

#include <kiln/kiln.h>
#include <kiln/precompile.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>

namespace assemble_limit_test {

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::must;

namespace {

SessionOptions quiet() {
  SessionOptions options;
  options.cache_dir = "";
  options.verbosity = LogLevel::Error;
  options.worker_program = KILN_PROGRAM;
  return options;
}

std::unique_ptr<Session> loaded(const SessionOptions &options) {
  auto session = must(Session::open(options));
  must(session->load("slow.jl", "using CUDA\nslow(y) = (y[1] = 1; return)\n"
                                "hopeless(y) = (y[1] = 2; return)\n"));
  return session;
}

/// A folder of a toolkit whose ptxas takes five seconds above -O1, or for a text with `hopeless` at every
/// level, and writes its options in place of a cubin.
struct SlowToolkit {
  kiln::test::Scratch folder;
  kiln::test::Variable home{"KILN_CUDA_HOME", folder.path.c_str()}, assembler{"KILN_ASSEMBLER", "ptxas"};

  SlowToolkit() {
    std::filesystem::create_directory(folder.path / "bin");
    const std::filesystem::path program = folder.path / "bin" / "ptxas";
    std::ofstream(program) << "#!/bin/sh\n"
                              "if [ \"$1\" = --version ]; then\n"
                              "  echo 'Cuda compilation tools, release 13.0, V13.0.88'; exit\n"
                              "fi\n"
                              "while [ $# -gt 1 ]; do\n"
                              "  case $1 in -o) out=$2; shift;; -O*) level=$1;; esac; shift\n"
                              "done\n"
                              "if [ $level != -O1 ] || grep -q hopeless $1; then sleep 5; fi\n"
                              "echo $level > $out\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  }

  std::unique_ptr<Session> open(std::optional<double> limit, std::vector<std::string> *log = nullptr) const {
    SessionOptions with = quiet();
    with.cache_dir = (folder.path / "cache").string();
    with.assemble_limit = limit;
    if (log) {
      with.verbosity = LogLevel::Warning;
      with.log = [log](LogLevel, std::string_view message) { log->emplace_back(message); };
    }
    return loaded(with);
  }
};

/// What the script wrote, or the text of the error.
std::string cubin(Session &session, const std::string &function, int opt_level = 3) {
  CompilerConfig config{.target = PtxOptions()};
  config.opt_level = opt_level;
  auto made = session.compile(function + "(CuDeviceVector{Float32,1})", config, ArtifactKind::Cubin);
  return made.ok() ? (*made)->bytes : made.error().what();
}

} // namespace

TEST_CASE("a kernel that assembles for too long gets code of -O1, under a key of its own") {
  const SlowToolkit toolkit;
  std::vector<std::string> log;
  {
    auto session = toolkit.open(3, &log);
    CHECK(cubin(*session, "slow") == "-O1\n");
    CHECK(session->counters().assembled == 2);
    CHECK(cubin(*session, "slow") == "-O1\n");
    CHECK(session->counters().assembled == 2);
    REQUIRE(log.size() == 1);
    CHECK_THAT(log[0], Contains("took longer than 3 s for `slow` at -O3") && Contains("--assemble-limit") &&
                           Contains("it runs code of -O1"));
    session->flush_cache();
  }
  log.clear();
  {
    auto session = toolkit.open(3, &log); // takes it from the folder, and says so
    CHECK(cubin(*session, "slow") == "-O1\n");
    CHECK(session->counters().assembled == 0);
    CHECK(log.size() == 1);
  }
  {
    SessionOptions never = quiet(); // needs no worker program
    never.cache_dir = (toolkit.folder.path / "cache").string();
    never.worker_program = "/no/such/program";
    never.compile = SessionOptions::CompileMode::Never;
    never.assemble_limit = 3;
    CHECK(cubin(*loaded(never), "slow") == "-O1\n");
    never.assemble_limit = 4;
    CHECK_THAT(cubin(*loaded(never), "slow"), Contains("NotCompiled"));
  }
  {
    auto session = toolkit.open(0); // assembles the same text again
    CHECK(cubin(*session, "slow") == "-O3\n");
    CHECK(session->counters().assembled == 1);
    session->flush_cache();
  }
  log.clear();
  auto session = toolkit.open(3, &log); // finds that, and takes it
  CHECK(cubin(*session, "slow") == "-O3\n");
  CHECK(session->counters().assembled == 0);
  CHECK(log.empty());
}

TEST_CASE("kernels that are assembled together for too long are assembled alone, and are hits from then on") {
  const SlowToolkit toolkit;
  std::ofstream(toolkit.folder.path / "slow.jl") << "using CUDA\nslow(y, a) = (y[1] = a; return)\n";
  std::vector<PrecompileJob> jobs;
  for (const char *type : {"Int32", "Int64"})
    jobs.push_back({.files = {{"slow.jl", toolkit.folder.path.string(), ""}},
                    .call = std::string("slow(CuDeviceVector{Int64,1}, ") + type + ")",
                    .captures = {},
                    .hidden_argument = {},
                    .config = {.target = PtxOptions()},
                    .product = ArtifactKind::Cubin,
                    .at = {}});
  std::vector<std::string> log;
  PrecompileOptions with{.session = quiet(), .threads = 1};
  with.session.cache_dir = (toolkit.folder.path / "cache").string();
  with.session.assemble_limit = 3;
  with.session.verbosity = LogLevel::Warning;
  with.session.log = [&](LogLevel, std::string_view message) { log.emplace_back(message); };
  for (const bool again : {false, true}) {
    CAPTURE(again);
    log.clear();
    const PrecompileReport report = must(precompile(jobs, with));
    CHECK(report.failures.empty());
    CHECK(report.counts.hits == (again ? 2 : 0));
    CHECK(report.missing == 0);
    CHECK(log.size() == 2); // a warning for each kernel, each time
  }
}

TEST_CASE("a limit that code of -O1 exceeds too is an error that names it") {
  const SlowToolkit toolkit;
  const kiln::test::Variable limit("KILN_ASSEMBLE_LIMIT", "3");
  auto session = toolkit.open(std::nullopt);
  CHECK_THAT(cubin(*session, "hopeless"), Contains("AssembleLimit[304]") &&
                                              Contains("took longer than 3 s for `hopeless` at -O1") &&
                                              Contains("raise the limit"));
  CHECK_THAT(cubin(*session, "hopeless", 1), Contains("for `hopeless` at -O1"));
  CHECK_THAT(cubin(*session, "slow", 0), Contains("for `slow` at -O0"));
  CHECK(session->counters().assembled == 4);
  CHECK(cubin(*session, "slow") == "-O1\n"); // others go on
}

TEST_CASE("a limit is a number of seconds, and needs the worker program") {
  for (const double wrong : {-1.0, 1e7, std::nan("")}) {
    SessionOptions options_with = quiet();
    options_with.assemble_limit = wrong;
    auto session = Session::open(options_with);
    REQUIRE_FALSE(session.ok());
    CHECK_THAT(session.error().what(), Contains("SessionOptions::assemble_limit is"));
  }
  SessionOptions without = quiet();
  without.assemble_limit = 5;
  without.worker_program = "/no/such/program";
  CHECK_FALSE(Session::open(without).ok());
  without.assemble_limit = 0;
  CHECK(Session::open(without).ok());
  const kiln::test::Variable limit("KILN_ASSEMBLE_LIMIT", "soon");
  without.assemble_limit.reset();
  auto session = Session::open(without);
  REQUIRE_FALSE(session.ok());
  CHECK_THAT(session.error().what(), Contains("KILN_ASSEMBLE_LIMIT takes 0 to") && Contains("`soon`"));
}

} // namespace assemble_limit_test
