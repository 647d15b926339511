// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ledger by job: whose time it is, on several threads, with jobs in jobs, and what a reset leaves.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <support/support.h>
#include <support/timed_lock.h>

#include <array>
#include <mutex>
#include <thread>

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

const TimingJob *find(const TimingReport &report, std::string_view name) {
  for (const TimingJob &job : report.jobs)
    if (job.name == name) return &job;
  return nullptr;
}

} // namespace

TEST_CASE("what is timed within a job counts for it, and in the sum") {
  Timer timer;
  timer.enable();
  pass_time(timer, "before", 7);
  {
    TimedJob job(&timer, named("f(Int64)", "native"));
    pass_time(timer, "inference", 100);
    timer.set_job_key("0123");
    timer.note_lookup("asm", "made", "not in memory");
    timer.note_lookup("asm", "made", "not in memory");
  }
  {
    TimedJob job(&timer, named("g(Int64)", "native"));
    pass_time(timer, "inference", 30);
  }
  {
    TimedJob again(&timer, named("f(Int64)", "native"));
    pass_time(timer, "inference", 5);
  }
  const TimingReport report = timer.report();
  CHECK(find(report.rows, "inference")->nanoseconds == 135);
  CHECK(find(report.rows, "inference")->calls == 3);
  REQUIRE(report.jobs.size() == 2);
  const TimingJob &f = report.jobs[0];
  CHECK(f.name == "f(Int64)");
  CHECK(f.target == "native");
  CHECK(f.key == "0123");
  CHECK(f.calls == 2);
  CHECK(find(f.rows, "inference")->nanoseconds == 105);
  CHECK(find(f.rows, "before") == nullptr);
  CHECK(f.rows.back().name == "untimed");
  REQUIRE(f.lookups.size() == 1);
  CHECK(f.lookups[0].count == 2);
  CHECK(find(report.jobs[1].rows, "inference")->nanoseconds == 30);
  const TimingReport alone = report.of_job(f);
  CHECK(alone.jobs.size() == 1);
  CHECK(find(alone.rows, "inference")->nanoseconds == 105);
  CHECK(alone.table().find("inference") != std::string::npos);
}

TEST_CASE("one function for two targets is two jobs") {
  Timer timer;
  timer.enable();
  for (const char *target : {"native", "ptx sm_90"}) TimedJob job(&timer, named("f()", target));
  CHECK(timer.report().jobs.size() == 2);
}

TEST_CASE("a job within a job: the outer one has a row for it, and none of its time") {
  Timer timer;
  timer.enable();
  {
    TimedJob outer(&timer, named("outer()"));
    StageScope stage(&timer, "outer's stage");
    {
      TimedJob inner(&timer, named("inner()"));
      StageScope inner_stage(&timer, "inner's stage");
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    pass_time(timer, "back in the outer one", 3);
  }
  const TimingReport report = timer.report();
  const TimingJob *outer = find(report, "outer()"), *inner = find(report, "inner()");
  REQUIRE(outer);
  REQUIRE(inner);
  CHECK(find(inner->rows, "inner's stage")->nanoseconds >= 5'000'000);
  CHECK(inner->nanoseconds >= 5'000'000);
  CHECK(find(outer->rows, "inner's stage") == nullptr);
  const TimingRow *other = find(outer->rows, stage_name(Stage::OtherJob));
  REQUIRE(other);
  CHECK(other->depth == 1);
  CHECK(other->nanoseconds >= 5'000'000);
  CHECK(other->nanoseconds == inner->nanoseconds);
  CHECK(find(outer->rows, "back in the outer one")->depth == 1);
  const TimingRow *stage = find(outer->rows, "outer's stage");
  CHECK(outer->nanoseconds + other->nanoseconds >= stage->nanoseconds);
  CHECK(stage->self_nanoseconds <= stage->nanoseconds - other->nanoseconds);
  CHECK(find(report.rows, stage_name(Stage::OtherJob)) == nullptr); // the sum has the stages themselves
  CHECK(find(report.rows, "inner's stage")->depth == 1);
}

TEST_CASE("a job within itself is the same job") {
  Timer timer;
  timer.enable();
  TimedJob outer(&timer, named("f()"));
  {
    TimedJob inner(&timer, named("f()"));
    pass_time(timer, "work", 9);
  }
  pass_time(timer, "work", 1);
  const TimingReport report = timer.report();
  REQUIRE(report.jobs.size() == 1);
  CHECK(report.jobs[0].calls == 1);
  CHECK(find(report.jobs[0].rows, "work")->nanoseconds == 10);
}

TEST_CASE("threads that work on one job are added up; their jobs do not mix") {
  Timer timer;
  timer.enable();
  constexpr int threads = 8, rounds = 200;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; t++)
    all.emplace_back([&, t] {
      for (int i = 0; i < rounds; i++) {
        TimedJob job(&timer, named(t % 2 ? "odd()" : "even()"));
        pass_time(timer, "work", t % 2 ? 10 : 1);
      }
    });
  for (int i = 0; i < 50; i++) (void)timer.report(); // while they write
  for (std::thread &thread : all) thread.join();
  const TimingReport report = timer.report();
  REQUIRE(report.jobs.size() == 2);
  CHECK(find(find(report, "odd()")->rows, "work")->nanoseconds == 10 * rounds * threads / 2);
  CHECK(find(find(report, "even()")->rows, "work")->nanoseconds == rounds * threads / 2);
  CHECK(find(report, "odd()")->calls == rounds * threads / 2);
  CHECK(find(report.rows, "work")->calls == rounds * threads);
}

TEST_CASE("more jobs than are kept one by one are added up, and the row says so") {
  Timer timer;
  timer.enable();
  const size_t jobs = TimingReport::kept_jobs + 100;
  for (size_t i = 0; i < jobs; i++) {
    TimedJob job(&timer, [&] { return std::array{fmt::format("f{}()", i), std::string(), std::string()}; });
    pass_time(timer, "work", 2);
  }
  const TimingReport report = timer.report();
  REQUIRE(report.jobs.size() == TimingReport::kept_jobs + 1);
  CHECK(report.jobs.back().name == "all jobs after the first 1024");
  CHECK(find(report.jobs.back().rows, "work")->nanoseconds == 200);
  CHECK(find(report.rows, "work")->nanoseconds == 2 * jobs);
}

TEST_CASE("a reset while scopes are open, on several threads") {
  Timer timer;
  timer.enable({.trace_events = true});
  std::atomic<bool> stop{false};
  std::vector<std::thread> all;
  for (int t = 0; t < 4; t++)
    all.emplace_back([&] {
      while (!stop) {
        TimedJob job(&timer, named("f()"));
        StageScope a(&timer, "a");
        StageScope b(&timer, "b");
        timer.note_lookup("asm", "made", "");
        timer.set_job_key("12");
      }
    });
  for (int i = 0; i < 200; i++) {
    timer.reset();
    (void)timer.report();
    (void)timer.trace_json();
  }
  stop = true;
  for (std::thread &thread : all) thread.join();
  {
    TimedJob job(&timer, named("old()"));
    StageScope open(&timer, "old");
    timer.reset();
    pass_time(timer, "new", 4);
  }
  const TimingReport report = timer.report();
  CHECK(find(report.rows, "old") == nullptr);
  CHECK(find(report.rows, "new")->depth == 0);
  CHECK(find(report.rows, "new")->nanoseconds == 4);
  CHECK(report.jobs.empty());
}

TEST_CASE("reset of a timer that is off does nothing, and stopping keeps what there is") {
  Timer timer;
  timer.enable();
  pass_time(timer, "work", 4);
  timer.disable();
  timer.reset();
  pass_time(timer, "work", 1); // a scope that began while it was on may still end
  CHECK(find(timer.report().rows, "work")->nanoseconds == 5);
  timer.enable();
  CHECK(find(timer.report().rows, "work") == nullptr);
}

TEST_CASE("the clock may begin before the timer") {
  Timer timer;
  const uint64_t since = Timer::now() - 3'000'000'000;
  timer.enable({.since = since});
  timer.add("process start", since, since + 2'000'000'000);
  const TimingReport report = timer.report();
  CHECK(report.wall_nanoseconds >= 3'000'000'000);
  CHECK(find(report.rows, "process start")->nanoseconds == 2'000'000'000);
  CHECK(find(report.rows, "untimed")->nanoseconds >= 1'000'000'000);
  CHECK(find(report.rows, "untimed")->nanoseconds + 2'000'000'000 == report.wall_nanoseconds);
}

TEST_CASE("a wait for a lock is a row; a lock that is free is none") {
  Timer timer;
  timer.enable();
  StageScope stage(&timer, "work");
  std::mutex mutex;
  {
    std::unique_lock lock(mutex, std::defer_lock);
    lock_timed(lock, Stage::WaitForInference);
    CHECK(lock.owns_lock());
  }
  CHECK(find(timer.report().rows, "wait for inference") == nullptr);
  std::thread holder;
  {
    std::atomic<bool> held{false};
    holder = std::thread([&] {
      std::lock_guard lock(mutex);
      held = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    });
    while (!held) std::this_thread::yield();
    std::unique_lock lock(mutex, std::defer_lock);
    lock_timed(lock, Stage::WaitForInference);
  }
  holder.join();
  const TimingReport report = timer.report();
  const TimingRow *wait = find(report.rows, "wait for inference");
  REQUIRE(wait);
  CHECK(wait->is_wait);
  CHECK(wait->depth == 1);
  CHECK(wait->nanoseconds >= 1'000'000);
  CHECK_FALSE(find(report.rows, "work")->is_wait);
}

TEST_CASE("the thread's timer is that of its innermost scope") {
  Timer a, b;
  CHECK(Timer::of_thread() == nullptr);
  a.enable();
  b.enable();
  {
    StageScope x(&a, "x");
    CHECK(Timer::of_thread() == &a);
    {
      StageScope y(&b, "y");
      CHECK(Timer::of_thread() == &b);
      b.disable();
      CHECK(Timer::of_thread() == nullptr);
    }
    CHECK(Timer::of_thread() == &a);
  }
  CHECK(Timer::of_thread() == nullptr);
}

TEST_CASE("a stage that multiplies instructions is told") {
  Timer timer;
  timer.enable();
  TimedJob job(&timer, named("f()"));
  auto stage = [&](std::string_view name, uint64_t before, uint64_t after) {
    StageScope scope(&timer, name);
    return scope.note_instructions(before, after);
  };
  CHECK_FALSE(stage("emission", 0, 50'000)); // from nothing: it multiplied none
  CHECK_FALSE(stage("small", 10, 3'999));
  CHECK_FALSE(stage("by three", 2'000, 6'000));
  CHECK(stage("unrolling", 1'000, 4'000));
  const TimingReport report = timer.report();
  CHECK(find(report.rows, "small")->instructions_before == 10);
  CHECK(find(report.rows, "small")->instructions_after == 3'999);
  CHECK(find(report.jobs[0].rows, "unrolling")->instructions_after == 4'000);
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0].job == "f()");
  CHECK(report.warnings[0].stage == "unrolling");
  CHECK(report.warnings[0].text == "made 4000 LLVM instructions of 1000");
  CHECK(report.table().find("1000 → 4000") != std::string::npos);
}

TEST_CASE("threads that come and go leave no tree each") {
  Timer timer;
  timer.enable();
  for (int i = 0; i < 500; i++) std::thread([&] { pass_time(timer, "work", 1); }).join();
  const TimingReport report = timer.report();
  CHECK(find(report.rows, "work")->nanoseconds == 500);
  CHECK(report.threads <= 2);
}

TEST_CASE("a scope of the embedder's own ends once, wherever it was moved") {
  const auto shared = std::make_shared<Timer>();
  Timer &timer = *shared;
  timer.enable();
  TimingScope job(shared, "my job", "");
  TimingScope stage(shared, "my stage");
  TimingScope moved(std::move(stage));
  stage.end();
  moved.end();
  moved.end();
  job.end();
  const TimingReport report = timer.report();
  CHECK(find(report.rows, "my stage")->calls == 1);
  REQUIRE(report.jobs.size() == 1);
  CHECK(report.jobs[0].name == "my job");
  CHECK(find(report.jobs[0].rows, "my stage")->calls == 1);
  TimingScope none;
  none.end();
}

TEST_CASE("scopes that end in another order, or on another thread, leave the tree whole") {
  const auto shared = std::make_shared<Timer>();
  Timer &timer = *shared;
  timer.enable();
  auto a = std::make_unique<TimingScope>(shared, "a");
  auto b = std::make_unique<TimingScope>(shared, "b");
  a.reset();
  b.reset();
  pass_time(timer, "c", 1);
  CHECK(find(timer.report().rows, "c")->depth == 0);
  auto d = std::make_unique<TimingScope>(shared, "d");
  std::thread([&] { d.reset(); }).join();
  CHECK(find(timer.report().rows, "d")->calls == 1);
}

TEST_CASE("trace events say whose they are") {
  Timer timer;
  timer.enable({.trace_events = true});
  {
    TimedJob job(&timer, named("f(\"x\")", "ptx sm_90"));
    {
      StageScope stage(&timer, "inference");
    }
    timer.set_job_key("ab12"); // known later than the event
  }
  {
    StageScope stage(&timer, "launch");
  }
  auto events = nlohmann::json::array(); // of spans; timing_events_test.cpp has names and counters
  const auto trace = nlohmann::json::parse(timer.trace_json());
  for (const auto &event : trace["traceEvents"])
    if (event["ph"] == "X") events.push_back(event);
  REQUIRE(events.size() == 3);
  CHECK(events[0]["name"] == "inference");
  CHECK(events[0]["args"]["job"] == "f(\"x\")");
  CHECK(events[0]["args"]["key"] == "ab12");
  CHECK(events[1]["name"] == "f(\"x\")");
  CHECK(events[1]["cat"] == "job");
  CHECK(events[2]["name"] == "launch");
  CHECK_FALSE(events[2].contains("args"));
}
