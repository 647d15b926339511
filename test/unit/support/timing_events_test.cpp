// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single events of a timer: the timeline of a report, and names and counters of the trace.
#include <catch2/catch.hpp>
#include <kiln/extension/language/internal/stage_timer.h>
#include <nlohmann/json.hpp>
#include <support/thread_name.h>

#include <array>
#include <map>
#include <thread>

namespace timing_events_test {

using namespace kiln;

namespace {

auto named(const char *name) {
  return [=] { return std::array<std::string, 3>{name, "native", ""}; };
}

nlohmann::json trace_of(const Timer &timer, std::string_view phase) {
  auto chosen = nlohmann::json::array();
  const auto parsed = nlohmann::json::parse(timer.trace_json());
  for (const auto &event : parsed["traceEvents"])
    if (event["ph"] == phase) chosen.push_back(event);
  return chosen;
}

} // namespace

TEST_CASE("a report has a timeline only where single events were kept") {
  Timer timer;
  timer.enable();
  timer.add("stage", Timer::now(), Timer::now() + 1);
  CHECK_FALSE(timer.report().timeline);
  timer.enable({.trace_events = true});
  CHECK(timer.report().timeline->events.empty());
}

TEST_CASE("events of a timeline have their thread, job, start and duration; an outer one comes first") {
  Timer timer;
  const uint64_t since = Timer::now() - 5'000'000;
  timer.enable({.trace_events = true, .since = since});
  timer.add("first", since + 1000, since + 3000);
  {
    TimedJob job(&timer, named("f()"));
    StageScope stage(&timer, "inference");
  }
  std::thread([&] {
    name_this_thread("a worker");
    TimedJob job(&timer, named("g()"));
  }).join();
  timer.add_device_event("GPU 0", "kernel", since + 100, 900);
  timer.add_device_event("GPU 0", "overlaps", since + 200, 100);

  const TimingReport report = timer.report();
  const TimingTimeline &timeline = *report.timeline;
  REQUIRE(timeline.threads.size() == 4);
  CHECK(timeline.threads[1] == "a worker, thread 2");
  CHECK(timeline.threads[2] == "GPU 0");
  CHECK(timeline.threads[3] == "GPU 0");
  CHECK(timeline.num_dropped == 0);
  REQUIRE(timeline.events.size() == 6);
  const std::vector<TimingEvent> &events = timeline.events;
  const TimingEvent &kernel = events[0], &overlaps = events[1], &first = events[2], &f = events[3],
                    &inference = events[4], &g = events[5];
  CHECK(kernel.name == "kernel");
  CHECK(kernel.thread == 2);
  CHECK(overlaps.thread == 3);
  CHECK(first.name == "first");
  CHECK(first.start == 1000);
  CHECK(first.duration == 2000);
  CHECK_FALSE(first.job);
  CHECK(f.name.empty()); // the job itself
  CHECK(report.jobs[f.job.value()].name == "f()");
  CHECK(inference.name == "inference");
  CHECK(inference.job == f.job);
  CHECK(inference.start >= f.start);
  CHECK(inference.start + inference.duration <= f.start + f.duration);
  CHECK(g.thread == 1);
  CHECK(report.jobs[g.job.value()].name == "g()");
}

TEST_CASE("a timeline keeps its longest events and counts the others") {
  Timer timer;
  timer.enable({.trace_events = true});
  const size_t all = TimingTimeline::kept_events + 500;
  const uint64_t began = Timer::now();
  for (size_t i = 0; i < all; i++) timer.add("stage", began + i * 1000, began + i * 1000 + 1 + i % 1000);
  const TimingReport report = timer.report();
  CHECK(report.timeline->events.size() == TimingTimeline::kept_events);
  CHECK(report.timeline->num_dropped == 500);
  // Each duration from 1 to 500 ns occurs 21 times, so the 500 shortest have 24 ns at most.
  size_t long_ones = 0;
  for (const TimingEvent &event : report.timeline->events) long_ones += event.duration > 24;
  CHECK(long_ones == all - 24 * 21);
}

TEST_CASE("the trace names its threads, the main one among them") {
  Timer timer;
  timer.enable({.trace_events = true});
  {
    StageScope stage(&timer, "here");
  }
  std::thread([&] { StageScope stage(&timer, "there"); }).join();
  std::vector<std::pair<int, std::string>> names;
  for (const auto &event : trace_of(timer, "M"))
    if (event["name"] == "thread_name") names.emplace_back(event["tid"], event["args"]["name"]);
  CHECK(names == std::vector<std::pair<int, std::string>>{{1, "main thread"}, {2, "thread 2"}});
}

TEST_CASE("the trace counts products and shows the size of the module of each thread") {
  Timer timer;
  timer.enable({.trace_events = true});
  {
    TimedJob job(&timer, named("f()"));
    StageScope stage(&timer, "LLVM middle-end");
    CHECK_FALSE(stage.note_instructions(10, 30));
    timer.note_lookup("asm", "made", "not in memory");
    timer.note_lookup("asm", "folder", "");
    timer.note_lookup("obj", "memory", "");
  }
  std::map<std::string, std::vector<int>> values;
  double last = 0;
  for (const auto &event : trace_of(timer, "C")) {
    for (const auto &[series, value] : event["args"].items()) values[event["name"]].push_back(value);
    CHECK(event["ts"] >= last);
    last = event["ts"];
  }
  CHECK(values == std::map<std::string, std::vector<int>>{{"products compiled", {1}},
                                                          {"products found in a cache", {1, 2}},
                                                          {"LLVM instructions, main thread", {30, 0}}});
}

TEST_CASE("time of stages within jobs and outside of them adds up") {
  Timer timer;
  const uint64_t since = Timer::now() - 1'000'000'000;
  timer.enable({.since = since});
  const auto pass = [&](std::string_view stage, uint64_t nanoseconds) {
    timer.add(stage, since, since + nanoseconds);
  };
  pass("parse", 100);
  {
    TimedJob job(&timer, named("f()"));
    pass("inference", 40);
    pass("parse", 7);
  }
  pass("inference", 2);
  uint64_t of_jobs = 0, around = 0;
  {
    StageScope stage(&timer, "evaluate");
    TimedJob job(&timer, named("g()"));
    pass("inference", 30);
  }
  const TimingReport report = timer.report();
  for (const TimingRow &row : report.rows) {
    if (row.name == "parse") CHECK(row.job_nanoseconds == 7);
    if (row.name == "inference" && row.depth == 0) CHECK(row.job_nanoseconds == 40);
    if (row.name == "inference" && row.depth == 1) CHECK(row.job_nanoseconds == 30);
    if (row.name == "evaluate") {
      of_jobs = row.job_nanoseconds;
      around = row.nanoseconds;
    }
  }
  CHECK(of_jobs == report.jobs[1].nanoseconds);
  CHECK(of_jobs <= around);
}

TEST_CASE("a job in no stage: its untimed part is counted once") {
  Timer timer;
  timer.enable();
  {
    TimedJob job(&timer, named("f()"));
    {
      StageScope stage(&timer, "inference");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  timer.disable();
  const TimingReport report = timer.report();
  const TimingRow &untimed = report.rows.back(), &of_job = report.jobs[0].rows.back();
  CHECK(of_job.nanoseconds >= 3'000'000);
  CHECK(untimed.job_nanoseconds == of_job.nanoseconds);
  CHECK(untimed.nanoseconds - untimed.job_nanoseconds >= 2'000'000);
  uint64_t outside = 0;
  for (const TimingRow &row : report.rows)
    if (row.depth == 0) outside += row.nanoseconds - row.job_nanoseconds;
  CHECK(outside + report.jobs[0].nanoseconds == report.wall_nanoseconds);
}

} // namespace timing_events_test
