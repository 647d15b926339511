// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <support/support.h>

#include <thread>

namespace timing_test {

using namespace kiln;

namespace {

void spin(std::chrono::microseconds time) {
  auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

const TimingRow *find(const TimingReport &report, std::string_view name) {
  for (const TimingRow &row : report.rows)
    if (row.name == name) return &row;
  return nullptr;
}

thread_local AllocationCount fake_allocations;
AllocationCount fake_counter() noexcept { return fake_allocations; }

} // namespace

TEST_CASE("a timer that is off records nothing; a null timer is allowed") {
  Timer timer;
  {
    StageScope a(&timer, Stage::Inference);
  }
  {
    StageScope b(nullptr, "x");
  }
  CHECK(timer.report().rows.empty());
}

TEST_CASE("nested stages make a tree whose top level and 'untimed' add up to the wall clock") {
  Timer timer;
  timer.enable();
  for (int i = 0; i < 3; ++i) {
    StageScope outer(&timer, Stage::IRGeneration);
    StageScope inner(&timer, Stage::Emission);
    spin(std::chrono::microseconds(200));
  }
  {
    StageScope other(&timer, "a stage");
  }
  spin(std::chrono::microseconds(500));
  timer.disable();
  TimingReport report = timer.report();
  REQUIRE(report.rows.size() == 4);
  CHECK(report.rows[0].name == "IR generation");
  CHECK(report.rows[1].name == "emission");
  CHECK(report.rows[1].depth == 1);
  CHECK(report.rows[1].calls == 3);
  CHECK(report.rows[2].name == "a stage");
  CHECK(report.rows[3].name == "untimed");
  CHECK(report.rows[0].nanoseconds >= report.rows[1].nanoseconds);
  CHECK(report.rows[1].nanoseconds >= 600'000);
  CHECK(report.rows[3].nanoseconds >= 500'000);
  uint64_t sum = 0;
  for (auto &row : report.rows)
    if (row.depth == 0) sum += row.nanoseconds;
  CHECK(sum == report.wall_nanoseconds);
}

TEST_CASE("threads are merged by name and a running stage counts so far") {
  Timer timer;
  timer.enable();
  StageScope outer(&timer, "outer");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int n = 0; n < 1000; ++n) {
        StageScope a(&timer, "work");
        StageScope b(&timer, n % 2 ? "odd" : "even");
      }
    });
  for (int n = 0; n < 50; ++n) (void)timer.report(); // while they write
  for (auto &t : threads) t.join();
  TimingReport report = timer.report();
  REQUIRE(find(report, "work"));
  CHECK(find(report, "work")->calls == 4000);
  CHECK(find(report, "odd")->calls == 2000);
  CHECK(find(report, "odd")->depth == 1);
  CHECK(find(report, "outer")->calls == 1);
  CHECK(find(report, "outer")->nanoseconds > 0);
  CHECK(find(report, "untimed")->nanoseconds < report.wall_nanoseconds);
}

TEST_CASE("enabling again starts afresh, even inside a stage") {
  Timer timer;
  timer.enable();
  {
    StageScope open(&timer, "old");
    timer.enable();
    StageScope fresh(&timer, "new");
  }
  TimingReport report = timer.report();
  CHECK(find(report, "old") == nullptr);
  CHECK(find(report, "new") != nullptr);
}

TEST_CASE("timers of one thread do not meet, nor do successors at one address") {
  for (int i = 0; i < 20; ++i) {
    Timer a, b;
    a.enable();
    b.enable();
    StageScope x(&a, "x");
    StageScope y(&b, "y");
    CHECK(find(a.report(), "y") == nullptr);
    CHECK(find(b.report(), "x") == nullptr);
    CHECK(find(a.report(), "x")->calls == 1);
  }
}

TEST_CASE("allocations are counted where a counter is registered") {
  Timer timer;
  timer.set_allocation_counter(fake_counter);
  timer.enable();
  {
    StageScope a(&timer, "a");
    fake_allocations.count += 2;
    fake_allocations.bytes += 3072;
  }
  fake_allocations.bytes += 1024;
  TimingReport report = timer.report();
  CHECK(report.has_allocations);
  CHECK(find(report, "a")->allocated.count == 2);
  CHECK(find(report, "a")->allocated.bytes == 3072);
  CHECK(find(report, "untimed")->allocated.bytes == 1024);
  CHECK(report.table().find("75.0%") != std::string::npos);
}

TEST_CASE("the table's columns") {
  TimingReport report{.wall_nanoseconds = 2'000'000'000, .rows = {}, .has_allocations = true};
  report.rows.push_back({"LLVM middle-end", 0, 2, 1'500'000'000, {10, 2048}, 1'499'998'500});
  report.rows.push_back({"inlining", 1, 1, 1'500, {0, 0}, 1'500});
  report.rows.push_back({"untimed", 0, 1, 500'000'000, {1, 2048}, 500'000'000});
  CHECK(report.table() ==
        " ────────────────────────────────────────────────────────────────────────────────────────────\n"
        " Tot / % measured: 2.00s / 75.0%, 4.0KiB allocated\n"
        "\n"
        " Section           ncalls      time    %tot      self       avg       alloc    %tot       avg\n"
        " ────────────────────────────────────────────────────────────────────────────────────────────\n"
        " LLVM middle-end        2     1.50s   75.0%     1.50s  750.00ms      2.0KiB   50.0%    1.0KiB\n"
        "   inlining             1    1.50μs    0.0%    1.50μs    1.50μs          0B    0.0%        0B\n"
        " untimed                1  500.00ms   25.0%  500.00ms  500.00ms      2.0KiB   50.0%    2.0KiB\n"
        " ────────────────────────────────────────────────────────────────────────────────────────────\n");
  CHECK(TimingReport().table().find("Section") != std::string::npos);
}

TEST_CASE("reports and traces are JSON") {
  Timer timer;
  timer.enable(true);
  {
    StageScope a(&timer, "a \"quoted\" stage");
    StageScope b(&timer, Stage::Parse);
  }
  auto report = nlohmann::json::parse(timer.report().json());
  CHECK(report["rows"].size() == 3);
  CHECK(report["rows"][0]["name"] == "a \"quoted\" stage");
  CHECK(report["rows"][0]["calls"] == 1);
  auto events = nlohmann::json::parse(timer.trace_json())["traceEvents"];
  REQUIRE(events.size() == 4);
  CHECK(events[0]["name"] == "process_name");
  CHECK(events[1]["name"] == "thread_name");
  CHECK(events[2]["name"] == "parse"); // the inner one ends first
  CHECK(events[2]["ph"] == "X");
  CHECK(events[3]["dur"] >= events[2]["dur"]);
}

TEST_CASE(
    "a scope outlives its timer's owner, and a thread whose scope ended elsewhere knows no timer that is gone") {
  auto shared = std::make_shared<Timer>();
  shared->enable();
  {
    TimingScope scope(shared, "mine");
    std::weak_ptr<Timer> timer = shared;
    shared.reset();
    CHECK(Timer::of_thread() == timer.lock().get());
    scope.end();
    CHECK(timer.expired());
  }
  CHECK(Timer::of_thread() == nullptr);
  shared = std::make_shared<Timer>();
  shared->enable();
  auto elsewhere = std::make_unique<TimingScope>(shared, "elsewhere");
  std::thread([&] { elsewhere.reset(); }).join();
  shared.reset();
  CHECK(Timer::of_thread() == nullptr);
}

} // namespace timing_test
