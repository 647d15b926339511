// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the single events of a timer: as a trace for Chrome and Perfetto, and as the timeline of a report.
#include "timing_tree.h"

#include "json.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>

namespace kiln {

using timing::Sample;
using timing::Tree;

bool Timer::wants_events() const {
  std::lock_guard lock(state_->mutex);
  return state_->options.trace_events;
}

void Timer::add_device_event(std::string_view device, std::string_view name, uint64_t start,
                             uint64_t duration) {
  State &s = *state_;
  std::lock_guard lock(s.mutex);
  if (!s.options.trace_events || start < s.started) return; // the event is older than the timer's start
  if (s.events.fetch_add(1, std::memory_order_relaxed) >= State::kept_events) return;
  s.device_events.push_back({std::string(device), std::string(name), start, duration});
}

void Timer::State::sample(Sample::Kind kind, const Tree *tree, uint64_t value) {
  if (!options.trace_events) return;
  if (events.fetch_add(1, std::memory_order_relaxed) >= kept_events) return;
  samples.push_back({kind, tree, now(), value});
}

std::string Timer::State::thread_name(size_t tree) const {
  if (trees[tree]->is_main) return "main thread";
  if (trees[tree]->name.empty()) return fmt::format("thread {}", tree + 1);
  return fmt::format("{}, thread {}", trees[tree]->name, tree + 1);
}

namespace {

bool is_job(const timing::Event &event) { return event.node->job && !event.node->parent; }

/// Assigns kernels to rows of the trace. A device has several rows if its kernels overlap in time.
class DeviceRows {
public:
  explicit DeviceRows(size_t first_row) : next_row_(first_row) {}
  /// Returns the row for a kernel. Call it for kernels in the order of their starts. Sets `is_new` to true if
  /// the device had no free row and got a new one.
  size_t row_of(std::string_view device, uint64_t start, uint64_t end, bool &is_new) {
    auto &rows = rows_[device];
    auto free = std::ranges::find_if(rows, [&](const Row &row) { return row.end <= start; });
    is_new = free == rows.end();
    if (is_new) free = rows.insert(free, {0, next_row_++});
    free->end = end;
    return free->number;
  }

private:
  struct Row {
    uint64_t end;
    size_t number;
  };
  std::map<std::string_view, std::vector<Row>> rows_;
  size_t next_row_;
};

template <class Event> std::vector<const Event *> by_start(const std::vector<Event> &events) {
  std::vector<const Event *> sorted;
  for (const Event &event : events) sorted.push_back(&event);
  std::ranges::stable_sort(sorted, {}, &Event::start);
  return sorted;
}

/// Builds the JSON text of a trace. Its times are microseconds since `started`.
class TraceWriter {
public:
  explicit TraceWriter(uint64_t started) : started_(started) {}

  void name(std::string_view kind, size_t thread, std::string_view name) {
    append(fmt::format(R"({{"name": "{}", "ph": "M", "pid": 1, "tid": {}, "args": {{"name": {}}}}})", kind,
                       thread, json_string(name)));
  }
  void event(std::string_view name, std::string_view category, size_t thread, uint64_t start,
             uint64_t duration, std::string_view arguments = {}) {
    append(fmt::format(
        R"({{"name": {}, "cat": "{}", "ph": "X", "pid": 1, "tid": {}, "ts": {:.3f}, "dur": {:.3f}{}}})",
        json_string(name), category, thread, microseconds(start), double(duration) / 1000.0, arguments));
  }
  void counter(std::string_view name, std::string_view series, uint64_t time, uint64_t value) {
    append(fmt::format(R"({{"name": {}, "ph": "C", "pid": 1, "ts": {:.3f}, "args": {{"{}": {}}}}})",
                       json_string(name), microseconds(time), series, value));
  }
  const std::string &text() const { return out_; }

private:
  double microseconds(uint64_t time) const { return double(time - std::min(time, started_)) / 1000.0; }
  void append(const std::string &event) { out_ += (out_.empty() ? "\n" : ",\n") + event; }

  const uint64_t started_;
  std::string out_;
};

std::string arguments_of(const timing::Job *job) {
  if (!job) return {};
  return fmt::format(R"(, "args": {{"job": {}, "target": {}, "key": {}}})", json_string(job->name),
                     json_string(job->target), json_string(job->key));
}

} // namespace

std::string Timer::trace_json() const {
  const State &s = *state_;
  std::lock_guard lock(s.mutex);
  TraceWriter out(s.started);
  out.name("process_name", 0, "kiln");
  for (size_t thread = 0; thread < s.trees.size(); ++thread) {
    out.name("thread_name", thread + 1, s.thread_name(thread));
    Tree &tree = *s.trees[thread];
    std::lock_guard events_lock(tree.events_mutex);
    for (const timing::Event &e : tree.events) {
      const bool of_job = is_job(e);
      out.event(of_job ? e.job->name : e.node->name, of_job ? "job" : "kiln", thread + 1, e.start, e.duration,
                arguments_of(e.job));
    }
  }
  DeviceRows rows(s.trees.size() + 1);
  for (const State::DeviceEvent *e : by_start(s.device_events)) {
    bool is_new = false;
    const size_t row = rows.row_of(e->device, e->start, e->start + e->duration, is_new);
    if (is_new) out.name("thread_name", row, e->device);
    out.event(e->name, "kernel", row, e->start, e->duration);
  }
  for (const Sample &sample : s.samples) {
    if (sample.kind == Sample::Kind::Instructions) {
      const auto tree = std::ranges::find(s.trees, sample.tree, &std::shared_ptr<Tree>::get);
      if (tree != s.trees.end())
        out.counter(fmt::format("LLVM instructions, {}", s.thread_name(size_t(tree - s.trees.begin()))),
                    "instructions", sample.time, sample.value);
    } else {
      const bool is_compiled = sample.kind == Sample::Kind::Compiled;
      out.counter(is_compiled ? "products compiled" : "products found in a cache", "products", sample.time,
                  sample.value);
    }
  }
  const uint64_t events = s.events.load();
  const uint64_t dropped = events - std::min(events, State::kept_events);
  return fmt::format(
      "{{\"displayTimeUnit\": \"ms\", \"traceEvents\": [{}\n], \"otherData\": {{\"droppedEvents\": {}}}}}\n",
      out.text(), dropped);
}

TimingTimeline Timer::State::timeline() const {
  struct Candidate {
    uint64_t start, duration;
    size_t thread;
    std::string_view name;
    const timing::Job *job;
  };
  TimingTimeline made;
  std::vector<Candidate> all;
  for (size_t thread = 0; thread < trees.size(); ++thread) {
    made.threads.push_back(thread_name(thread));
    std::lock_guard events_lock(trees[thread]->events_mutex);
    for (const timing::Event &e : trees[thread]->events)
      all.push_back({e.start, e.duration, thread, is_job(e) ? std::string_view() : e.node->name, e.job});
  }
  DeviceRows rows(trees.size());
  for (const DeviceEvent *e : by_start(device_events)) {
    bool is_new = false;
    const size_t row = rows.row_of(e->device, e->start, e->start + e->duration, is_new);
    if (is_new) made.threads.push_back(e->device);
    all.push_back({e->start, e->duration, row, e->name, nullptr});
  }
  const uint64_t recorded = events.load();
  made.num_dropped = recorded - std::min(recorded, kept_events);
  if (all.size() > TimingTimeline::kept_events) {
    const auto kept = all.begin() + TimingTimeline::kept_events;
    std::ranges::nth_element(all, kept, std::greater<>(), &Candidate::duration);
    made.num_dropped += uint64_t(all.end() - kept);
    all.erase(kept, all.end());
  }
  // If events start together, the longest comes first, because it encloses the others.
  std::ranges::stable_sort(all, [](const Candidate &a, const Candidate &b) {
    return a.start != b.start ? a.start < b.start : a.duration > b.duration;
  });
  std::unordered_map<const timing::Job *, size_t> numbers;
  for (const timing::Job &job : *jobs) numbers.emplace(&job, numbers.size());
  for (const Candidate &each : all) {
    const auto number = each.job ? numbers.find(each.job) : numbers.end();
    made.events.push_back({.name = std::string(each.name),
                           .thread = uint32_t(each.thread),
                           .start = each.start - std::min(each.start, started),
                           .duration = each.duration,
                           .job = number == numbers.end() ? std::nullopt : std::optional(number->second)});
  }
  return made;
}

} // namespace kiln
