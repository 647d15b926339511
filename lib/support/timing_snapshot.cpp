// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes reports and trace events of the threads' records.
#include "timing_tree.h"

#include "json.h"
#include "machine.h"
#include "rank.h"

#include <kiln/version.h>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <unistd.h>

namespace kiln {

using timing::Job;
using timing::Node;
using timing::Tree;

namespace {

bool is_wait(std::string_view name) {
  struct Known {
    std::string_view name;
    bool wait;
  };
  static constexpr Known stages[] = {
#define KILN_STAGE(id, name, is_wait) {name, is_wait},
#include <kiln/extension/language/internal/stages.def>
#undef KILN_STAGE
  };
  return std::any_of(std::begin(stages), std::end(stages),
                     [&](const Known &stage) { return stage.wait && stage.name == name; });
}

/// Sum of a stage over several threads.
struct Merged {
  std::string_view name;
  uint64_t first_entered = UINT64_MAX;
  TimingRow row;
  std::vector<Merged> children;

  void add(const Node &parent, uint64_t time) {
    for (const Node *n = parent.first_child.load(std::memory_order_acquire); n;
         n = n->next_sibling.load(std::memory_order_acquire)) {
      auto found =
          std::find_if(children.begin(), children.end(), [&](const Merged &m) { return m.name == n->name; });
      if (found == children.end()) {
        children.emplace_back().name = n->name;
        found = children.end() - 1;
      }
      TimingRow &into = found->row;
      found->first_entered = std::min(found->first_entered, n->first_entered);
      into.calls += n->calls.get() + (n->open_since.get() ? 1 : 0);
      into.nanoseconds += n->elapsed(time);
      into.allocated.count += n->allocations.get();
      into.allocated.bytes += n->allocated_bytes.get();
      into.instructions_before += n->instructions_before.get();
      into.instructions_after += n->instructions_after.get();
      found->add(*n, time);
    }
  }

  uint64_t in_children() const {
    uint64_t sum = 0;
    for (const Merged &child : children) sum += child.row.nanoseconds;
    return sum;
  }

  void flatten(int depth, std::vector<TimingRow> &into) {
    std::stable_sort(children.begin(), children.end(),
                     [](const Merged &a, const Merged &b) { return a.first_entered < b.first_entered; });
    for (Merged &child : children) {
      child.row.name = child.name;
      child.row.depth = depth;
      child.row.is_wait = is_wait(child.name);
      child.row.self_nanoseconds =
          child.row.nanoseconds - std::min(child.row.nanoseconds, child.in_children());
      into.push_back(child.row);
      child.flatten(depth + 1, into);
    }
  }
};

TimingRow untimed_row(uint64_t nanoseconds) {
  TimingRow row{.name = "untimed", .calls = 1, .nanoseconds = nanoseconds};
  row.self_nanoseconds = nanoseconds;
  return row;
}

TimingProcess process_of(uint64_t start) {
  TimingProcess process{.version = KILN_VERSION,
                        .build = {},
                        .host = host_name(),
                        .process = uint64_t(::getpid()),
                        .cpu = cpu_name(),
                        .gpu = {},
                        .start = start,
                        .rank = {},
                        .cache_folder = {}};
  // An invalid rank variable is no error here.
  if (const auto rank = read_rank(); rank.ok() && *rank) process.rank = (*rank)->index;
  return process;
}

struct MergedJob {
  Merged stages;
  uint64_t calls = 0, nanoseconds = 0;
};

TimingJob report_of(const Job &job, MergedJob &merged, uint64_t started) {
  TimingJob made{job.name, job.target, job.config, job.key, merged.calls, 0, {}, job.lookups, job.products};
  for (TimingProduct &product : made.products) {
    product.start -= std::min(product.start, started);
    product.end -= std::min(product.end, started);
  }
  merged.stages.flatten(0, made.rows);
  uint64_t of_others = 0;
  for (const TimingRow &row : made.rows)
    if (row.name == stage_name(Stage::OtherJob)) of_others += row.nanoseconds;
  made.nanoseconds = merged.nanoseconds - std::min(merged.nanoseconds, of_others);
  made.rows.push_back(
      untimed_row(merged.nanoseconds - std::min(merged.nanoseconds, merged.stages.in_children())));
  return made;
}

} // namespace

TimingReport Timer::report() const {
  const State &s = *state_;
  std::lock_guard lock(s.mutex);
  TimingReport report;
  if (s.started == 0) return report;
  report.process = process_of(s.started_utc);
  report.process.build = s.build;
  report.process.cache_folder = s.cache_folder;
  report.process.gpu = s.gpu;
  const uint64_t time = s.stopped ? s.stopped : now();
  report.wall_nanoseconds = time - s.started;
  report.has_allocations = s.counter != nullptr;
  report.threads = uint32_t(s.trees.size());
  report.warnings = s.warnings;

  Merged all, enabling;
  std::unordered_map<const Job *, MergedJob> jobs;
  for (const auto &tree : s.trees) {
    all.add(*tree->root, time);
    if (tree->thread == s.enabling_thread) enabling.add(*tree->root, time);
    for (const Node *root = tree->first_job.load(std::memory_order_acquire); root;
         root = root->next_sibling.load(std::memory_order_acquire)) {
      MergedJob &job = jobs[root->job];
      job.stages.add(*root, time);
      job.calls += root->calls.get() + (root->open_since.get() ? 1 : 0);
      job.nanoseconds += root->elapsed(time);
    }
  }
  all.flatten(0, report.rows);
  for (const Job &job : *s.jobs) report.jobs.push_back(report_of(job, jobs[&job], s.started));

  // Time of the enabling thread outside all stages: the wall clock is that thread's.
  TimingRow untimed = untimed_row(report.wall_nanoseconds);
  bool own_thread = std::this_thread::get_id() == s.enabling_thread;
  if (s.counter && (own_thread || s.stopped)) {
    AllocationCount last = s.stopped ? s.allocated_at_stop : s.counter();
    untimed.allocated.count = last.count - s.allocated_at_start.count;
    untimed.allocated.bytes = last.bytes - s.allocated_at_start.bytes;
  }
  for (const Merged &m : enabling.children) {
    untimed.nanoseconds -= std::min(untimed.nanoseconds, m.row.nanoseconds);
    untimed.allocated.count -= std::min(untimed.allocated.count, m.row.allocated.count);
    untimed.allocated.bytes -= std::min(untimed.allocated.bytes, m.row.allocated.bytes);
  }
  untimed.self_nanoseconds = untimed.nanoseconds;
  report.rows.push_back(std::move(untimed));
  return report;
}

bool Timer::wants_events() const {
  std::lock_guard lock(state_->mutex);
  return state_->options.trace_events;
}

void Timer::add_device_event(std::string_view device, std::string_view name, uint64_t start,
                             uint64_t duration) {
  State &s = *state_;
  std::lock_guard lock(s.mutex);
  if (!s.options.trace_events || start < s.started) return; // from before the start
  if (s.events.fetch_add(1, std::memory_order_relaxed) >= State::kept_events) return;
  s.device_events.push_back({std::string(device), std::string(name), start, duration});
}

/// Appends kernels by device. Overlapping kernels get separate rows. Needs the mutex.
void Timer::State::append_device_events(std::string &out, bool &is_first) const {
  std::vector<const DeviceEvent *> sorted;
  for (const DeviceEvent &event : device_events) sorted.push_back(&event);
  std::ranges::stable_sort(sorted, {}, &DeviceEvent::start);
  std::map<std::string_view, std::vector<std::pair<uint64_t, size_t>>> rows; // end and number of each row
  size_t next_row = trees.size() + 1;
  auto append = [&](const std::string &event) {
    out += (is_first ? "\n" : ",\n") + event;
    is_first = false;
  };
  for (const DeviceEvent *event : sorted) {
    auto &of_device = rows[event->device];
    auto free = std::ranges::find_if(of_device, [&](const auto &row) { return row.first <= event->start; });
    if (free == of_device.end()) {
      free = of_device.insert(free, {0, next_row++});
      append(fmt::format(
          "{{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 1, \"tid\": {}, \"args\": {{\"name\": {}}}}}",
          free->second, json_string(event->device)));
    }
    free->first = event->start + event->duration;
    append(fmt::format(
        "{{\"name\": {}, \"cat\": \"kernel\", \"ph\": \"X\", \"pid\": 1, \"tid\": {}, \"ts\": {:.3f}, \"dur\": {:.3f}}}",
        json_string(event->name), free->second, double(event->start - started) / 1000.0,
        double(event->duration) / 1000.0));
  }
}

std::string Timer::trace_json() const {
  const State &s = *state_;
  std::lock_guard lock(s.mutex);
  std::string out = "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [";
  bool first = true;
  for (size_t thread = 0; thread < s.trees.size(); ++thread) {
    Tree &tree = *s.trees[thread];
    std::lock_guard events_lock(tree.events_mutex);
    for (const timing::Event &e : tree.events) {
      const bool is_job = e.node->job != nullptr && e.node->parent == nullptr;
      std::string args;
      if (e.job)
        args = fmt::format(", \"args\": {{\"job\": {}, \"target\": {}, \"key\": {}}}",
                           json_string(e.job->name), json_string(e.job->target), json_string(e.job->key));
      out += fmt::format(
          "{}\n{{\"name\": {}, \"cat\": \"{}\", \"ph\": \"X\", \"pid\": 1, \"tid\": {}, \"ts\": {:.3f}, \"dur\": {:.3f}{}}}",
          first ? "" : ",", json_string(is_job ? e.job->name : e.node->name), is_job ? "job" : "kiln",
          thread + 1, double(e.start - std::min(e.start, s.started)) / 1000.0, double(e.duration) / 1000.0,
          args);
      first = false;
    }
  }
  s.append_device_events(out, first);
  const uint64_t events = s.events.load();
  const uint64_t dropped = events - std::min(events, State::kept_events);
  return out + fmt::format("\n], \"otherData\": {{\"droppedEvents\": {}}}}}\n", dropped);
}

std::shared_ptr<Timer> KILN_API_VERSION::make_timer(const TimingOptions &options,
                                                    AllocationCounter allocations) {
  auto timer = std::make_shared<Timer>();
  timer->set_allocation_counter(allocations);
  timer->enable(options);
  return timer;
}

TimingReport KILN_API_VERSION::report_of(const Timer &timer) { return timer.report(); }

} // namespace kiln
