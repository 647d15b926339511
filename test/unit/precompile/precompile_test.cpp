// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Filling a folder before a program runs.
#include "../../../tools/kiln/time_left.h"
#include "precompiled.h"

#include <kiln/stop.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <thread>
#include <unistd.h>

using namespace kiln;
using namespace precompiled;
namespace fs = std::filesystem;

TEST_CASE("what was precompiled is not compiled again, by precompile or by the program") {
  Scratch scratch;
  std::vector<PrecompileJob> jobs = scratch.jobs(calls);
  for (PrecompileJob &job : jobs)
    job.files[0].name = (scratch.path / "program.jl").string(); // as the program loads it
  size_t told = 0;
  PrecompileReport first = must(precompile(
      jobs, {.session = scratch.session(), .threads = 3, .progress = [&](const PrecompileProgress &p) {
               CHECK(p.done == ++told);
             }}));
  CHECK(told == calls.size());
  CHECK(first.counts.done == calls.size());
  CHECK(first.counts.hits == 0);
  CHECK(first.counts.failed == 0);
  CHECK(first.made == calls.size());
  CHECK(first.missing == 0);
  PrecompileReport again = fill(scratch, jobs);
  CHECK(again.counts.hits == calls.size());
  CHECK(again.made == 0);

  auto session = must(Session::open(scratch.session()));
  must(session->load_file((scratch.path / "program.jl").string()));
  std::vector<float> y{4, 9, 16};
  must(session->launch("scale", {.threads = {3, 1, 1}},
                       {Argument::array(y.data(), {3}), Argument{"Val{2}", {}}}));
  CHECK(y == std::vector<float>{14, 29, 50});
  CHECK(session->counters().compiled == 0);
  CHECK(session->counters().inferred == 0);
  CHECK(session->counters().llvm_contexts == 0);
}

TEST_CASE("a stop ends a run after the jobs that have begun, and keeps their products") {
  Scratch scratch;
  const std::vector<PrecompileJob> jobs = scratch.jobs(calls);
  const StopSource stop;
  const PrecompileReport stopped =
      must(precompile(jobs, {.session = scratch.session(),
                             .threads = 1,
                             .merge = false,
                             .progress = [&](const PrecompileProgress &) { stop.request_stop(); },
                             .stop = &stop}));
  CHECK(stopped.counts.done == 1);
  CHECK(stopped.counts.jobs == calls.size());
  CHECK(stopped.missing == 0);
  CHECK(stopped.bytes > 0);
  const PrecompileReport none =
      must(precompile(jobs, {.session = scratch.session(), .threads = 2, .stop = &stop}));
  CHECK(none.counts.done == 0);
  const PrecompileReport rest = fill(scratch, jobs);
  CHECK(rest.counts.hits == 1);
  CHECK(rest.counts.done == calls.size());
}

TEST_CASE("what a progress function throws is the error of precompile, and all jobs are compiled") {
  Scratch scratch;
  const std::vector<PrecompileJob> jobs = scratch.jobs(calls);
  size_t told = 0;
  auto done = precompile(
      jobs, {.session = scratch.session(), .threads = 2, .progress = [&](const PrecompileProgress &) {
               told++;
               throw std::runtime_error("the window is gone");
             }});
  REQUIRE_FALSE(done.ok());
  CHECK(done.error().kind() == ErrorKind::Usage);
  CHECK(done.error().what().find("PrecompileOptions::progress threw an exception: the window is gone") !=
        std::string::npos);
  CHECK(told == 1);
  PrecompileReport again = fill(scratch, jobs);
  CHECK(again.counts.hits == calls.size());
  CHECK(again.made == 0);
}

TEST_CASE("a job that fails leaves the others, and says where it was asked for") {
  Scratch scratch;
  std::vector<PrecompileJob> jobs = scratch.jobs({calls[0], "wrong(CuDeviceVector{Float32,1})", calls[1]});
  for (const char *missing : {"nowhere.jl", "elsewhere.jl"}) {
    jobs.push_back(jobs[0]);
    jobs.back().files[0].name = missing;
  }
  auto list = std::make_shared<const SourceFile>(0, "list.json", "a\nb\n");
  jobs[1].at = {list, 2, 3};
  PrecompileReport report = fill(scratch, jobs, 1);
  CHECK(report.counts.failed == 3);
  CHECK(report.made == 2);
  REQUIRE(report.failures.size() == 3);
  CHECK(report.failures[0].job == 1);
  CHECK(report.failures[0].error.what().find("list.json:2:1") != std::string::npos);
  CHECK(report.failures[2].error.what().find("elsewhere.jl") != std::string::npos);
}

TEST_CASE("kernels for a GPU are assembled together, or each alone, and a later session assembles nothing") {
  Scratch scratch;
  if (!has_assembler()) {
    WARN("skipped: there is no assembler for PTX");
    return;
  }
  std::vector<std::string> many;
  for (int i = 0; i < 20; i++)
    many.push_back("scale(CuDeviceVector{Float32,1}, Val{" + std::to_string(i) + "})");
  many.push_back("wrong(CuDeviceVector{Float32,1})");
  std::vector<PrecompileJob> jobs = scratch.jobs(many);
  for (PrecompileJob &job : jobs) {
    job.config.target = PtxOptions();
    job.product = ArtifactKind::Cubin;
  }
  const bool merge = GENERATE(true, false);
  PrecompileReport report =
      must(precompile(jobs, {.session = scratch.session(), .threads = 2, .merge = merge}));
  CHECK(report.counts.failed == 1);
  CHECK(report.made == 40);
  CHECK(report.missing == 0);
  PrecompileReport again =
      must(precompile(jobs, {.session = scratch.session(), .threads = 2, .merge = merge}));
  CHECK(again.counts.hits == 20);
  CHECK(again.made == 0);

  auto session = must(Session::open(scratch.session()));
  must(definitions_of(*session).load_files(jobs[0].files));
  JobService &service = jobs_of(*session);
  for (int i = 0; i < 20; i++) {
    auto use = service.use();
    const CompilerJob job = must(service.job(jobs[size_t(i)]));
    const Compiled found = must(service.loadable(job));
    CHECK(bool(found.artifact->merged) == merge);
    CHECK(found.artifact->resources.registers > 0);
  }
  CHECK(session->counters().assembled == 0);
  CHECK(session->counters().compiled == 0);
  // A single cubin is made for who asks for it, and it is the one of a session that knows no other.
  const auto single = must(session->compile(many[3], jobs[0].config, ArtifactKind::Cubin));
  CHECK(session->counters().assembled == (merge ? 1 : 0));
  auto plain = must(Session::open(scratch.session("none")));
  must(definitions_of(*plain).load_files(jobs[0].files));
  CHECK(single->bytes == must(plain->compile(many[3], jobs[0].config, ArtifactKind::Cubin))->bytes);
}

TEST_CASE("shards are disjoint and complete, and follow from the jobs alone") {
  Scratch scratch, elsewhere;
  std::vector<std::string> many;
  for (int i = 0; i < 100; i++)
    many.push_back("scale(CuDeviceVector{Float32,1}, Val{" + std::to_string(i) + "})");
  std::vector<PrecompileJob> jobs = scratch.jobs(many),
                             reversed = elsewhere.jobs({many.rbegin(), many.rend()});
  std::set<std::string> all;
  for (unsigned i = 1; i <= 3; i++) {
    std::set<std::string> mine, theirs;
    for (const PrecompileJob &job : shard_of(jobs, i, 3)) mine.insert(job.call);
    for (const PrecompileJob &job : shard_of(reversed, i, 3)) theirs.insert(job.call);
    CHECK(mine == theirs);
    CHECK(mine.size() > 15);
    for (const std::string &call : mine) CHECK(all.insert(call).second);
  }
  CHECK(all.size() == 100);
  CHECK(shard_of(jobs, 1, 1).size() == 100);
}

TEST_CASE("a folder too small for its jobs is told") {
  Scratch scratch;
  std::vector<std::string> many;
  for (int i = 0; i < 24; i++)
    many.push_back("scale(CuDeviceVector{Float32,1}, Val{" + std::to_string(i) + "})");
  SessionOptions options = scratch.session();
  options.cache_budget = 64 << 10;
  PrecompileReport report = must(precompile(scratch.jobs(many), {.session = options, .threads = 2}));
  CHECK(report.counts.failed == 0);
  CHECK(report.missing > 0);
}

TEST_CASE("no folder, and one that cannot be used, are errors") {
  Scratch scratch;
  SessionOptions none = scratch.session();
  none.cache_dir = "";
  auto without = precompile(scratch.jobs(calls), {.session = none});
  REQUIRE(!without.ok());
  CHECK(without.error().kind() == ErrorKind::Usage);
  fs::create_directories(scratch.path / "open");
  fs::permissions(scratch.path / "open", fs::perms::all);
  auto refused = precompile(scratch.jobs(calls), {.session = scratch.session("open"), .threads = 1});
  REQUIRE(!refused.ok());
  CHECK(refused.error().kind() == ErrorKind::Machine);
  CHECK(refused.error().what().find("others than its owner can write to it") != std::string::npos);
}

using kiln::tool::TimeLeft;

TEST_CASE("the time left is told once every thread has done a batch") {
  TimeLeft left(2);
  auto at = [](size_t done, size_t hits) {
    PrecompileProgress progress;
    progress.jobs = 96;
    progress.done = done;
    progress.hits = hits;
    return progress;
  };
  CHECK_FALSE(left.after(at(16, 16), 0.1));  // what was there tells nothing
  CHECK_FALSE(left.after(at(32, 16), 1.0));  // 16 in 1 s by one thread: the other is about to end as many
  CHECK(left.after(at(48, 16), 1.0) == 1.5); // 32 a second, 48 to go
  CHECK(left.after(at(96, 16), 2.5) == 0.0);
}

TEST_CASE("jobs that are assembled together are told of together") {
  if (!has_assembler()) return;
  Scratch scratch;
  const std::vector<PrecompileJob> jobs = scratch.jobs(
      {"scale(CuDeviceVector{Float32,1}, Val{1})", "scale(CuDeviceVector{Float32,1}, Val{2})"}, ptx());
  std::vector<size_t> told;
  PrecompileOptions options{.session = scratch.session(), .threads = 1};
  options.progress = [&](const PrecompileProgress &progress) { told.push_back(progress.done); };
  must(precompile(jobs, options));
  CHECK(told == std::vector<size_t>{2});
}

TEST_CASE("sessions of a run share a clock") {
  Scratch scratch;
  write(scratch.path / "other.jl", "twice(y) = (y[1] = 2 * y[1]; nothing)\n");
  std::vector<PrecompileJob> jobs = scratch.jobs({calls[0]});
  jobs.push_back(jobs[0]);
  jobs[1].files = {{"other.jl", scratch.path.string(), ""}};
  jobs[1].call = "twice(CuDeviceVector{Float32,1})";
  PrecompileOptions options{.session = scratch.session(), .threads = 2};
  options.session.timer = std::make_shared<Timer>();
  options.session.timer->enable();
  must(precompile(jobs, options));
  const TimingReport report = options.session.timer->report();
  std::vector<std::string> names;
  for (const TimingJob &job : report.jobs) names.push_back(job.name);
  std::sort(names.begin(), names.end());
  CHECK(names == std::vector<std::string>{"scale(CuDeviceArray{Float32, 1, 1}, Val{1})",
                                          "twice(CuDeviceArray{Float32, 1, 1})"});
  const auto opened = std::find_if(report.rows.begin(), report.rows.end(),
                                   [](const TimingRow &row) { return row.name == "open the session"; });
  REQUIRE(opened != report.rows.end());
  CHECK(opened->calls == 2);
}

TEST_CASE("jobs for GPUs become jobs for other architectures") {
  Scratch scratch;
  std::vector<PrecompileJob> jobs = scratch.jobs({calls[0], calls[1]});
  jobs[1].config.target = PtxOptions{.sm = 90, .ptx_isa = 80, .max_registers = 40};
  jobs[1].product = ArtifactKind::Assembly;
  jobs.push_back(jobs[1]);
  jobs[2].config.target.edit<PtxOptions>().sm = 86; // the same but for what is replaced
  const std::vector<PrecompileJob> all = must(for_architectures(jobs, "sm_75,sm_100f,sm_90a"));
  REQUIRE(all.size() == 4);
  CHECK(all[0].config == jobs[0].config);
  CHECK(all[1].config.target.get<PtxOptions>() == PtxOptions{.sm = 75, .ptx_isa = 80, .max_registers = 40});
  CHECK(all[2].config.target.get<PtxOptions>() ==
        PtxOptions{.sm = 100, .family_specific = true, .ptx_isa = 88, .max_registers = 40});
  CHECK(all[3].config.target.get<PtxOptions>() ==
        PtxOptions{.sm = 90, .arch_specific = true, .ptx_isa = 80, .max_registers = 40});
  CHECK(all[2].call == calls[1]);
  const PrecompileReport report = fill(scratch, all);
  CHECK(report.counts.failed == 0);
  CHECK(report.made == 4);
  // A recorded job has the default of its architecture, and gets that of the other one: launches there ask
  // for it.
  jobs.resize(1);
  jobs[0].config.target = PtxOptions{.sm = 90, .ptx_isa = 85};
  for (const auto &[arch, isa] : {std::pair("sm_80", 85), std::pair("sm_100", 88), std::pair("sm_110", 90)})
    CHECK(must(for_architectures(jobs, arch))[0].config.target.get<PtxOptions>().ptx_isa == isa);
  for (const char *wrong : {"sm_91", "sm_90f", "", "all"}) CHECK(!for_architectures(jobs, wrong).ok());
}
