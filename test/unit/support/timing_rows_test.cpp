// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tells jobs of the ledger apart, and rows that were timed in another process.
#include <array>
#include <catch2/catch.hpp>
#include <support/support.h>

namespace timing_rows_test {

using namespace kiln;

namespace {

/// A stage that took as long as it says: nothing here depends on the machine.
void pass_time(Timer &timer, std::string_view stage, uint64_t nanoseconds) {
  timer.add(stage, 1'000, 1'000 + nanoseconds);
}

auto named(const char *name, const char *target = "", const char *config = "") {
  return [=] { return std::array<std::string, 3>{name, target, config}; };
}

const TimingRow *find(const std::vector<TimingRow> &rows, std::string_view name) {
  for (const TimingRow &row : rows)
    if (row.name == name) return &row;
  return nullptr;
}

} // namespace

TEST_CASE("jobs of one name are told apart by their types, their target and their config") {
  Timer timer;
  timer.enable();
  const auto work = [&](const char *name, const char *target, const char *config, uint64_t nanoseconds) {
    TimedJob job(&timer, named(name, target, config));
    pass_time(timer, "inference", nanoseconds);
  };
  work("f(Int64)", "native", "", 1);
  work("f(Float32)", "native", "", 2);
  work("f(Int64)", "ptx sm_90", "", 4);
  work("f(Int64)", "native", R"({"opt_level":3})", 8);
  work("f(Int64)", "native", "", 16);
  const TimingReport report = timer.report();
  REQUIRE(report.jobs.size() == 4);
  CHECK(find(report.jobs[0].rows, "inference")->nanoseconds == 17);
  CHECK(find(report.jobs[1].rows, "inference")->nanoseconds == 2);
  CHECK(find(report.jobs[2].rows, "inference")->nanoseconds == 4);
  CHECK(find(report.jobs[3].rows, "inference")->nanoseconds == 8);
  CHECK(report.jobs[3].config == R"({"opt_level":3})");
}

TEST_CASE("rows of another process stand below what waited for them, with their own self and total") {
  Timer timer;
  timer.enable();
  std::vector<TimingRow> theirs;
  const auto row = [&](const char *name, int depth, uint64_t nanoseconds) {
    theirs.push_back({.name = name, .depth = depth, .calls = 2, .nanoseconds = nanoseconds});
  };
  row("LLVM middle-end", 0, 60);
  row("pass", 1, 25);
  row("part", 2, 5);
  row("other pass", 1, 15);
  row("LLVM back-end", 0, 30);
  theirs[0].instructions_before = 7;
  theirs[0].instructions_after = 3;
  {
    TimedJob job(&timer, named("f(Int64)"));
    StageScope scope(&timer, "worker process");
    timer.add_rows(theirs);
    timer.add_rows(theirs);
  }
  const TimingReport report = timer.report();
  for (const auto *rows : {&report.rows, &report.jobs[0].rows}) {
    REQUIRE(rows->size() == 7); // with "worker process" and "untimed"
    const auto check = [&](size_t at, const char *name, int depth, uint64_t total, uint64_t self) {
      CHECK((*rows)[at].name == name);
      CHECK((*rows)[at].depth == depth);
      CHECK((*rows)[at].nanoseconds == total);
      CHECK((*rows)[at].self_nanoseconds == self);
      CHECK((*rows)[at].calls == 4);
    };
    CHECK((*rows)[0].name == "worker process");
    check(1, "LLVM middle-end", 1, 120, 40);
    check(2, "pass", 2, 50, 40);
    check(3, "part", 3, 10, 10);
    check(4, "other pass", 2, 30, 30);
    check(5, "LLVM back-end", 1, 60, 60);
    CHECK((*rows)[1].instructions_before == 14);
    CHECK((*rows)[1].instructions_after == 6);
  }
}

} // namespace timing_rows_test
