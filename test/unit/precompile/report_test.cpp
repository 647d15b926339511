// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The summary of kiln precompile.
#include <precompile_report.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace report_test {

using namespace kiln;
using Catch::Matchers::Contains;

namespace {

TimingJob compiled_job(std::string name, uint64_t nanoseconds, std::string config = {}) {
  TimingJob job{.name = std::move(name), .target = "native", .config = std::move(config)};
  job.nanoseconds = nanoseconds;
  job.products.push_back({.product = "obj", .key = "k", .found = "compiled"});
  return job;
}

tool::PrecompileSummary summary_of(const PrecompileReport &report, TimingReport timings) {
  static const std::vector<PrecompileJob> none;
  return {.report = report, .jobs = none, .timings = std::move(timings), .folder = "c"};
}

} // namespace

TEST_CASE("the table of slowest jobs leaves out the sum of later jobs") {
  TimingReport timings;
  for (size_t i = 0; i < TimingReport::kept_jobs; i++)
    timings.jobs.push_back(compiled_job(fmt::format("f{}()", i), 1'000'000 + i));
  timings.jobs.push_back(compiled_job("all jobs after the first 1024", 1'000'000'000));
  const PrecompileReport report;
  const auto summary = summary_of(report, timings);
  const std::string text = costs_text(summary, 100);
  CHECK_THAT(text, Contains("slowest of the first 1024 jobs:\n    0.001 s  native  f1023()\n"));
  CHECK_THAT(text, !Contains("all jobs after"));
  const auto slowest = nlohmann::json::parse(summary_json(summary))["slowest"];
  REQUIRE(slowest.size() == 20);
  CHECK(slowest[0]["job"] == "f1023()");
}

TEST_CASE("rows of one job with different options differ") {
  TimingReport timings;
  timings.jobs = {compiled_job("f(Int64)", 2'000'000, R"({"O": 0})"), compiled_job("f(Int64)", 1'000'000)};
  const PrecompileReport report;
  const auto summary = summary_of(report, timings);
  CHECK_THAT(costs_text(summary, 100),
             Contains("    0.002 s  native  f(Int64)  {\"O\": 0}\n    0.001 s  native  f(Int64)\n"));
  const auto slowest = nlohmann::json::parse(summary_json(summary))["slowest"];
  CHECK(slowest[0]["config"] == R"({"O": 0})");
  CHECK(slowest[1]["config"] == "");
}

TEST_CASE("a long row is cut between characters") {
  TimingReport timings;
  timings.jobs = {compiled_job("αβγδεζηθικλμνξοπρστυφχψω", 2'000'000),
                  compiled_job("αβγδεζηθικλμνξοπρστυ", 1'000'000)};
  const PrecompileReport report;
  // The columns before a job take 14 characters and the width of `native`; the job has 20 columns.
  CHECK_THAT(costs_text(summary_of(report, timings), 40),
             Contains("native  αβγδεζηθικλμνξοπρστ…\n") && Contains("native  αβγδεζηθικλμνξοπρστυ\n"));
}

} // namespace report_test
