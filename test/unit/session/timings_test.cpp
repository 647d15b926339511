// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session's timings as an embedder uses them: on and off, jobs, rows of its own, what the cache answered.
#include "gpu_fixture.h"
#include "must.h"
#include "variables.h"

#include <catch2/catch.hpp>

#include <kiln/kiln.h>
#include <kiln/worker.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <unistd.h>

namespace timings_test {

using namespace kiln;
using kiln::test::must;

namespace {

constexpr const char *functions = "f(x) = 2x\ng(x) = x + 1\nh(x) = f(x) - g(x)\nk(x) = 1\n";

std::unique_ptr<Session> open(SessionOptions options = {}) {
  options.cache_dir = "";
  std::unique_ptr<Session> session = must(Session::open(options));
  must(session->load("test.jl", functions));
  return session;
}

const TimingRow *find(const std::vector<TimingRow> &rows, std::string_view name) {
  for (const TimingRow &row : rows)
    if (row.name == name) return &row;
  return nullptr;
}

CompilerConfig plain() { return {.kernel = false}; }

} // namespace

TEST_CASE("a report names its process, and tells how each product came") {
  const test::Variable other("SLURM_PROCID", nullptr), mpi("OMPI_COMM_WORLD_RANK", nullptr),
      rank("RANK", "3"), world("WORLD_SIZE", nullptr);
  const auto before = std::chrono::system_clock::now().time_since_epoch();
  auto session = open();
  session->start_timings();
  must(session->compile("f(Int64)", plain(), ArtifactKind::Assembly));
  must(session->compile("f(Int64)", plain(), ArtifactKind::Assembly)); // of memory: no product of its own
  const TimingReport report = session->timings();
  const auto after = std::chrono::system_clock::now().time_since_epoch();
  char host[256] = "";
  REQUIRE(::gethostname(host, sizeof host - 1) == 0);
  CHECK(report.process.host == host);
  CHECK(report.process.process == uint64_t(::getpid()));
  CHECK(report.process.version == KILN_VERSION);
  CHECK(report.process.build == build_id());
  CHECK(report.process.rank == 3u);
  CHECK(report.process.gpu.empty());
  CHECK(report.process.cache_folder.empty());
  const std::chrono::nanoseconds start(report.process.start);
  CHECK((start >= before && start <= after));
  REQUIRE(report.counters);
  CHECK(report.counters->compiled == 1);
  CHECK(report.counters->remote_missing == 0);

  REQUIRE(report.jobs.size() == 1);
  REQUIRE(report.jobs[0].products.size() == 1);
  const TimingProduct &product = report.jobs[0].products[0];
  CHECK(product.product == "asm");
  CHECK(product.key == report.jobs[0].key);
  CHECK(product.found == "compiled");
  CHECK(product.compile > 0);
  CHECK(product.wait == 0);
  CHECK(product.waited_for.empty());
  CHECK(product.start + product.compile <= product.end);
  CHECK(product.end <= report.wall_nanoseconds);

  auto hidden = open({.use_environment = false});
  hidden->start_timings();
  CHECK_FALSE(hidden->timings().process.rank);
  CHECK(session->send_spans().error().kind() == ErrorKind::Usage);
}

TEST_CASE("timings start, stop and are reset at any time") {
  auto session = open();
  CHECK(session->timings().rows.empty());
  session->start_timings();
  must(session->compile("f(Int64)", plain(), ArtifactKind::Assembly));
  session->stop_timings();
  must(session->compile("g(Int64)", plain(), ArtifactKind::Assembly));
  TimingReport report = session->timings();
  REQUIRE(report.jobs.size() == 1);
  CHECK(report.jobs[0].name == "f(Int64)");
  CHECK(report.jobs[0].target == "native");
  CHECK(report.jobs[0].key.size() == 32);
  CHECK(find(report.rows, "inference")->calls == 1);
  session->reset_timings(); // off: nothing to reset
  CHECK(session->timings().jobs.size() == 1);
  session->start_timings();
  CHECK(session->timings().jobs.empty());
  must(session->compile("h(Int64)", plain(), ArtifactKind::Assembly));
  session->reset_timings();
  CHECK(session->timings().jobs.empty());
}

TEST_CASE("a job's rows, its instructions, and where its products came from") {
  auto session = open({.timings = true});
  for (int i = 0; i < 3; i++) must(session->compile("h(Float64)", plain(), ArtifactKind::Assembly));
  const TimingReport report = session->timings();
  REQUIRE(report.jobs.size() == 1);
  const TimingJob &job = report.jobs[0];
  CHECK(job.name == "h(Float64)");
  CHECK(job.calls == 3);
  const TimingRow *emission = find(job.rows, "emission"), *middle = find(job.rows, "LLVM middle-end");
  REQUIRE(emission);
  REQUIRE(middle);
  CHECK(emission->instructions_before == 0);
  CHECK(emission->instructions_after >= 4); // two operations of f and g, their difference, a return
  CHECK(middle->instructions_before >= 4);
  CHECK(middle->instructions_after > 0);
  uint64_t made = 0, from_memory = 0;
  for (const TimingLookup &lookup : job.lookups) {
    CHECK(lookup.product == "asm");
    (lookup.answer == "made" ? made : from_memory) += lookup.count;
  }
  CHECK(made == 1);
  CHECK(from_memory == 2);
}

TEST_CASE("the rows of all jobs add up to the sum's") {
  auto session = open();
  session->start_timings();
  for (const char *call : {"f(Int64)", "g(Int64)", "h(Int64)"})
    must(session->compile(call, plain(), ArtifactKind::Assembly));
  const TimingReport report = session->timings();
  REQUIRE(report.jobs.size() == 3);
  for (const char *stage : {"inference", "LLVM middle-end", "machine-code generation"}) {
    uint64_t sum = 0;
    for (const TimingJob &job : report.jobs) sum += find(job.rows, stage)->nanoseconds;
    CHECK(sum == find(report.rows, stage)->nanoseconds);
  }
}

TEST_CASE("rows and jobs of the embedder's own") {
  auto session = open();
  {
    auto nothing = session->time("while timings are off");
  }
  session->start_timings({.trace_events = true});
  {
    auto job = session->time_job("layer 7");
    auto row = session->time("prepare the layer");
    must(session->compile("f(Int64)", plain(), ArtifactKind::Assembly));
  }
  session->add_timing("download", 1'000, 6'000);
  const TimingReport report = session->timings();
  CHECK(find(report.rows, "while timings are off") == nullptr);
  CHECK(find(report.rows, "download")->nanoseconds == 5'000);
  const TimingRow *own = find(report.rows, "prepare the layer");
  REQUIRE(own);
  CHECK(find(report.rows, "inference")->depth > own->depth);
  REQUIRE(report.jobs.size() == 2);
  CHECK(report.jobs[0].name == "layer 7");
  const TimingRow *other = find(report.jobs[0].rows, "other job");
  REQUIRE(other);
  CHECK(other->nanoseconds > 0);
  CHECK(find(report.jobs[0].rows, "inference") == nullptr);
  CHECK(find(report.jobs[1].rows, "inference") != nullptr);
  CHECK(session->trace().find("\"job\": \"layer 7\"") != std::string::npos);
}

TEST_CASE("LLVM's passes are rows where they are asked for") {
  auto session = open();
  auto has_passes = [&](bool passes) {
    session->start_timings({.passes = passes});
    must(session->compile(passes ? "f(Int32)" : "g(Int32)", plain(), ArtifactKind::Assembly));
    const TimingReport report = session->timings();
    return find(report.jobs[0].rows, "SROAPass") != nullptr;
  };
  CHECK_FALSE(has_passes(false));
  CHECK(has_passes(true));
}

TEST_CASE("reports and resets while threads compile") {
  auto session = open({.timings = true});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; i++)
        must(session->compile("h(NTuple{" + std::to_string(t * 20 + i + 1) + ",Int64}) ", plain(),
                              ArtifactKind::Lowered));
    });
  for (int i = 0; i < 20; i++) {
    (void)session->timings().json();
    session->reset_timings();
  }
  for (std::thread &thread : threads) thread.join();
  CHECK(session->timings().jobs.size() <= 80);
}

TEST_CASE("kernels of the CPU are timed where that is asked for") {
  auto session = open();
  must(session->load(
      "k.jl", "function add(y)\n  for i in 1:length(y)\n    y[i] += sin(y[i])\n  end\n  return\nend\n"));
  std::vector<double> y(1'000'000);
  const Argument array = Argument::array(y.data(), {int64_t(y.size())});
  session->start_timings({.trace_events = true});
  must(session->launch("add", {}, {array}));
  CHECK(session->timings().kernels.empty());
  session->start_timings({.trace_events = true, .kernels = true});
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 3; i++) must(session->launch("add", {}, {array}));
  Stream stream = session->stream();
  must(session->launch(stream, "add", {}, {array}));
  must(stream.synchronize());
  const std::chrono::nanoseconds wall = std::chrono::steady_clock::now() - begin;
  const TimingReport report = session->timings();
  REQUIRE(report.kernels.size() == 1);
  const TimingKernel &kernel = report.kernels[0];
  CHECK(kernel.is_cpu);
  CHECK(kernel.name.find("add") != kernel.name.npos);
  CHECK(kernel.executions == 4);
  CHECK(kernel.launches == 4);
  CHECK(kernel.execution_total <= uint64_t(wall.count()));
  CHECK(kernel.execution_min >= 1'000'000); // a million sines take a millisecond on any processor
  CHECK(kernel.execution_min <= kernel.execution_median);
  CHECK(kernel.execution_median <= kernel.execution_max);
  CHECK(kernel.execution_total >= kernel.execution_max + 3 * kernel.execution_min);
  CHECK(report.table().find("Execution") != std::string::npos);
  CHECK(report.json().find("\"executions\": 4") != std::string::npos);
  CHECK(session->trace().find("CPU kernels") != std::string::npos);
  session->stop_timings();
  must(session->launch("add", {}, {array}));
  CHECK(session->timings().kernels[0].executions == 4);
}

TEST_CASE("kernels of a GPU are timed by events, and nothing waits for them") {
  kiln::test::Fake fake;
  kiln::test::Gpu gpu;
  must(gpu.launch());
  CHECK(fake.count("cuEventRecord") == 0);
  gpu.session->start_timings({.trace_events = true, .kernels = true});
  fake.log();
  must(gpu.launch());
  // The first launch relates the GPU's clock to the host's, in a stream of its own.
  CHECK(fake.calls().find("cuEventCreate cuEventRecord cuLaunchKernel cuEventCreate cuEventRecord") !=
        std::string::npos);
  fake.log();
  for (int i = 0; i < 200; i++) must(gpu.launch());
  CHECK(fake.calls().find("Synchronize") == std::string::npos);
  must(gpu.launch(gpu.stream, gpu.kernel, {}, {.programmatic_serialization = true})); // is not timed
  const TimingReport report = gpu.session->timings();
  REQUIRE(report.kernels.size() == 1);
  CHECK_FALSE(report.kernels[0].is_cpu);
  CHECK(report.kernels[0].name == "first");
  CHECK(report.kernels[0].executions == 201);
  // The fake driver's clock goes on by 1000 ns a launch and 1 ns an event.
  CHECK(report.kernels[0].execution_min >= 1000);
  CHECK(report.kernels[0].execution_max <= 1002);
  CHECK(gpu.session->trace().find("\"GPU 0\"") != std::string::npos);
  const auto events = fake.living().events;
  CHECK(events < 200); // they are used again
  gpu.session->stop_timings();
  fake.log();
  must(gpu.launch());
  CHECK(fake.calls() == "cuLaunchKernel");
}

} // namespace timings_test
