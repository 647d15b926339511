// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nested jobs in the caches, in traces, as JSON and on the timing table.
#include "nested.h"

#include <precompile/precompile.h>

#include <fstream>
#include <set>

namespace nested_keys_test {

using namespace kiln;
using namespace kiln::test;
using Catch::Matchers::Contains;

TEST_CASE("nested configs never share code, in memory or from the folder") {
  Scratch scratch;
  WrappedTarget first(NativeOptions(), "1"), second(NativeOptions(), "2");
  CompilerConfig other;
  other.target = WrappedOptions();
  auto replaced = [](int64_t to) { return with_hooks(std::make_shared<Replace>(7777, to)); };
  for (int turn = 0; turn < 2; turn++) {
    for (const WrappedTarget *target : {&first, &second}) {
      auto session = open(scratch.path.string(), target);
      must(session->load("nested.jl", nested_program));
      auto outer = [&](const CompilerConfig &nested) {
        return call<int64_t>(*session, "outer(Int64)", plain({named("ad", nested)}), 1);
      };
      CHECK(outer({}) == 15556);
      CHECK(outer(replaced(100)) == 7879);
      CHECK(outer(replaced(200)) == 7979);
      CompilerConfig level = changed({}, [](CompilerConfig &c) { c.opt_level = 1; });
      CHECK(outer(level) == 15556);
      CHECK(outer(other) == 15556);
      CHECK(call<int64_t>(*session, "inner(Int64)", plain(), 1) == 7778); // a job without any
      CHECK(call<int64_t>(*session, "inner(Int64)", plain({named("ad", replaced(100))}), 1) == 7778);
      // The nested target's version is part of the key: of the second only what names it is made.
      CHECK(session->counters().compiled == (turn ? 0u : target == &first ? 7u : 1u));
      session->flush_cache();
    }
  }
}

TEST_CASE("an equal config is the same job, whoever made it") {
  auto session = open();
  must(session->load("nested.jl", nested_program));
  for (int i = 0; i < 3; i++)
    CHECK(call<int64_t>(*session, "outer(Int64)", plain({named("ad", with_hooks(nullptr))}), 1) == 15556);
  CHECK(session->counters().compiled == 1);
  CHECK(plain({named("ad")}) == plain({named("ad")}));
  CHECK(!(plain({named("ad")}) == plain({named("da")})));
  CompilerConfig level;
  level.opt_level = 1;
  CHECK(!(plain({named("ad")}) == plain({named("ad", level)})));
}

TEST_CASE("a definition that a nested job reaches makes the job anew") {
  auto session = open();
  must(session->load("nested.jl", nested_program));
  const CompilerConfig config = plain({named("ad", with_hooks(std::make_shared<Replace>(7777, 100)))});
  CHECK(call<int64_t>(*session, "outer(Int64)", config, 1) == 7879);
  must(session->load("again.jl", "inner(x) = x + 7777 + 10000\n"));
  CHECK(call<int64_t>(*session, "outer(Int64)", config, 1) == (1 + 100 + 10000) + (1 + 7777 + 10000));
  // An overlay's choice, too: only the nested job can see this method.
  WrappedTarget target{NativeOptions()};
  auto wrapped = open({}, &target);
  must(wrapped->load("nested.jl", nested_program));
  CompilerConfig other;
  other.target = WrappedOptions();
  CHECK(call<int64_t>(*wrapped, "outer(Int64)", plain({named("ad", other)}), 1) == 15556);
  must(wrapped->load("again.jl", "inner(x::Int64) = x + 1\n"));
  CHECK(call<int64_t>(*wrapped, "outer(Int64)", plain({named("ad", other)}), 1) == 4);
}

TEST_CASE("configs are read from JSON, and a trace repeats nested jobs") {
  Scratch scratch;
  const std::string trace = (scratch.path / "trace").string(), file = (scratch.path / "nested.jl").string();
  std::ofstream(file) << nested_program;
  CompilerConfig read = must(
      read_config(R"({"no-kernel":true,"nested":{"ad":{"O":3,"fastmath":true,"nested":{"deep":{"g":0}}}}})"));
  REQUIRE(read.nested.size() == 1);
  CHECK(read.nested[0].name == "ad");
  CHECK(read.nested[0].config->opt_level == 3);
  CHECK(read.nested[0].config->target.fast_math);
  REQUIRE(read.nested[0].config->nested.size() == 1);
  CHECK(read.nested[0].config->nested[0].config->debug_level == 0);
  auto wrong = read_config(R"({"nested":{"ad":{"O":9,"speed":1},"b":7}})");
  REQUIRE(!wrong.ok());
  CHECK_THAT(wrong.error().what(), Contains("\"O\" takes a whole number") &&
                                       Contains("no option \"speed\"") && Contains("nested.b"));
  {
    auto session = open((scratch.path / "cache").string(), nullptr, trace);
    must(session->load_file(file));
    must(session->compile("outer(Int64)", read, ArtifactKind::Object));
    must(session->compile("outer(Int64)", plain({named("ad", with_hooks(std::make_shared<Replace>(1, 2)))}),
                          ArtifactKind::Object));
  }
  PrecompileList list = must(read_job_trace(trace));
  REQUIRE(list.jobs.size() == 1);
  REQUIRE(list.jobs[0].config.nested.size() == 1);
  CHECK(list.jobs[0].config.nested[0].config->opt_level == 3);
  CHECK(list.jobs[0].config.nested[0].config->nested[0].name == "deep");
  REQUIRE(list.skipped.size() == 1);
  CHECK_THAT(list.skipped[0].why, Contains("hooks") && Contains("replace"));
  PrecompileOptions options;
  options.session.cache_dir = (scratch.path / "other").string();
  PrecompileReport report = must(precompile(list.jobs, options));
  CHECK(report.made == 1);
  auto session = open((scratch.path / "other").string());
  must(session->load_file(file));
  must(session->compile("outer(Int64)", read, ArtifactKind::Object));
  CHECK(session->counters().compiled == 0);
}

TEST_CASE("the timing table has a row of nested jobs, with the stages that they use") {
  SessionOptions options;
  options.cache_dir = std::string();
  options.timings = true;
  auto session = must(Session::open(options));
  must(session->load("nested.jl", nested_program));
  must(session->compile("outer(Int64)", plain({named("ad")}), ArtifactKind::Object));
  const std::vector<TimingRow> rows = session->timings().rows;
  auto nested = std::ranges::find(rows, "nested job", &TimingRow::name);
  REQUIRE(nested != rows.end());
  CHECK(nested->calls == 1);
  std::set<std::string> below;
  for (auto row = nested + 1; row != rows.end() && row->depth > nested->depth; ++row) below.insert(row->name);
  CHECK(below.contains("emission"));
  CHECK(below.contains("rewrite"));
  CHECK(below.contains("LLVM middle-end"));
}

TEST_CASE("a second process infers nothing of a nested job, whatever overlay it has") {
  Scratch scratch;
  WrappedTarget target{NativeOptions()};
  CompilerConfig other;
  other.target = WrappedOptions();
  for (int turn = 0; turn < 2; turn++) {
    SessionOptions options;
    options.cache_dir = scratch.path.string();
    options.targets = {&target};
    options.timings = true;
    auto session = must(Session::open(options));
    must(session->load("nested.jl", nested_program));
    must(session->compile("outer(Int64)", plain({named("ad", other)}), ArtifactKind::Object));
    const std::vector<TimingRow> rows = session->timings().rows;
    CHECK((std::ranges::find(rows, "inference", &TimingRow::name) == rows.end()) == (turn == 1));
    CHECK(session->counters().compiled == (turn ? 0u : 1u));
    session->flush_cache();
  }
  // A method that the nested job alone comes to choose makes the record stale.
  SessionOptions options;
  options.cache_dir = scratch.path.string();
  options.targets = {&target};
  auto session = must(Session::open(options));
  must(session->load("nested.jl", nested_program));
  must(session->load("again.jl", "inner(x::Int64) = x + 1\n"));
  CHECK(call<int64_t>(*session, "outer(Int64)", plain({named("ad", other)}), 1) == 4);
}

} // namespace nested_keys_test
