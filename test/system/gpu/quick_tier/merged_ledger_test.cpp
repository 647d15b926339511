// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the ledger says that kernels of merged cubins came from.
#include "gpu_fixture.h"
#include "scratch.h"

#include <map>

using namespace kiln;
using namespace kiln::test;

TEST_CASE("a kernel that the folder holds with others in one cubin is told as found there") {
  Fake fake;
  Environment toolkit("KILN_CUDA_HOME", KILN_FAKE_TOOLKIT);
  Scratch folder;
  for (const bool again : {false, true}) {
    SessionOptions options;
    options.cache_dir = folder.path;
    options.verbosity = LogLevel::Error;
    options.timings = true;
    options.compile_threads = 1; // one batch
    auto session = take(Session::open(options));
    take(session->load("two.jl", "one(y) = (y[1] = 1; return)\ntwo(y) = (y[1] = 2; return)\n"));
    Device gpu = take(session->gpu());
    const CompileRequest requests[] = {{.call = "one(CuDeviceVector{Int64,1})"},
                                       {.call = "two(CuDeviceVector{Int64,1})"}};
    if (again) // alone: Session::prepare finds what prepare_many has left
      take(session->prepare(requests[0].call, {}, gpu));
    for (auto &kernel : session->prepare_many(requests, gpu)) take(std::move(kernel));
    CHECK(session->counters().merged == (again ? 0u : 2u));
    size_t cubins = 0;
    for (const TimingJob &job : session->timings().jobs)
      for (const TimingLookup &lookup : job.lookups) {
        if (lookup.product != "cubin") continue;
        cubins++;
        INFO(job.name << ": " << lookup.answer << ", " << lookup.reason);
        CHECK(lookup.answer != (again ? "made" : "folder"));
      }
    if (again) CHECK(cubins > 0);
    session->flush_cache();
  }
}

TEST_CASE(
    "the stages of kernels in one cubin count for their jobs, and its assembly in shares by their texts") {
  Fake fake;
  Environment toolkit("KILN_CUDA_HOME", KILN_FAKE_TOOLKIT);
  SessionOptions options;
  options.cache_dir = "";
  options.verbosity = LogLevel::Error;
  options.timings = true;
  options.compile_threads = 1; // one batch
  auto session = take(Session::open(options));
  std::string text;
  std::vector<CompileRequest> requests;
  for (int i = 1; i <= 8; i++) {
    const std::string name = "k" + std::to_string(i);
    text += "function " + name + "(y)\n";
    for (int n = 0; n < 20 * i; n++)
      text += "  @inbounds y[" + std::to_string(n + 1) + "] = y[" + std::to_string(n + 2) + "] * " +
              std::to_string(n + 3) + "\n";
    text += "  return\nend\n";
    requests.push_back({.call = name + "(CuDeviceVector{Int64,1})"});
  }
  take(session->load("many.jl", text));
  session->reset_timings();
  for (auto &kernel : session->prepare_many(requests, take(session->gpu()))) take(std::move(kernel));
  CHECK(session->counters().merged == 8);
  const TimingReport report = session->timings();
  // The rows of all threads are recorded apart from those of jobs.
  std::map<std::string, uint64_t> whole, of_jobs;
  for (const TimingRow &row : report.rows) whole[row.name] += row.nanoseconds;
  std::vector<std::pair<uint64_t, uint64_t>> shares; // by the texts' sizes
  REQUIRE(report.jobs.size() == 8);
  for (const TimingJob &job : report.jobs) {
    INFO(job.name);
    for (const TimingRow &row : job.rows) {
      of_jobs[row.name] += row.nanoseconds;
      if (row.name != "assemble (share)") continue;
      const auto kernel = std::find_if(report.kernels.begin(), report.kernels.end(),
                                       [&](const TimingKernel &k) { return k.job == job.name; });
      REQUIRE(kernel != report.kernels.end());
      shares.emplace_back(kernel->text_bytes, row.nanoseconds);
      CHECK(row.nanoseconds <= job.nanoseconds);
    }
  }
  for (const char *stage : {"inference", "LLVM middle-end", "LLVM back-end"}) {
    INFO(stage);
    CHECK(whole[stage] > 0);
    CHECK(of_jobs[stage] == whole[stage]);
  }
  CHECK(double(of_jobs["assemble (share)"]) ==
        Approx(double(whole["assemble"])).epsilon(0.05).margin(5'000'000));
  REQUIRE(shares.size() == 8);
  std::sort(shares.begin(), shares.end());
  CHECK(shares.front().first < shares.back().first);
  const double rate = double(of_jobs["assemble (share)"]);
  uint64_t bytes = 0;
  for (const auto &[size, share] : shares) bytes += size;
  for (const auto &[size, share] : shares)
    CHECK(double(share) == Approx(rate * double(size) / double(bytes)).margin(2));
  CHECK(report.table().find("share: its part of assembling several jobs at once") != std::string::npos);
  CHECK(report.json().find("\"name\": \"assemble (share)\"") != std::string::npos);
  CHECK(report.json().find("\"share\": true") != std::string::npos);
}
