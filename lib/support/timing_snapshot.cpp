// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a timing report from the records of all threads.
#include "timing_tree.h"

#include "machine.h"
#include "rank.h"

#include <kiln/version.h>

#include <algorithm>
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

/// A stage with times summed over several threads. `children`: the stages nested in it.
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
      into.job_nanoseconds += n->job_nanoseconds.get();
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
  // The rank in a parallel launch (MPI, Slurm) comes from environment variables. If they are invalid, the
  // report has no rank.
  if (const auto rank = read_rank(); rank.ok() && *rank) process.rank = (*rank)->index;
  return process;
}

struct MergedJob {
  Merged stages;
  uint64_t calls = 0, nanoseconds = 0;
};

TimingJob report_of(const Job &job, MergedJob &merged, uint64_t started) {
  TimingJob made{.name = job.name,
                 .target = job.target,
                 .config = job.config,
                 .key = job.key,
                 .calls = merged.calls,
                 .rows = {},
                 .lookups = job.lookups,
                 .products = job.products,
                 .file = job.file,
                 .line = job.line,
                 .dumps = job.dumps};
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
  uint64_t untimed_in_jobs = 0;
  std::unordered_map<const Job *, MergedJob> jobs;
  for (const auto &tree : s.trees) {
    all.add(*tree->root, time);
    if (tree->thread == s.enabling_thread) {
      enabling.add(*tree->root, time);
      untimed_in_jobs = tree->root->job_nanoseconds.get();
    }
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

  // The row `untimed` has the time outside of all stages, on the thread that enabled the timer. The report's
  // wall time belongs to the same thread.
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
  // While a job is open, untimed_in_jobs may be negative (a huge unsigned number), and is left out.
  if (untimed_in_jobs <= untimed.nanoseconds) untimed.job_nanoseconds = untimed_in_jobs;
  report.rows.push_back(std::move(untimed));
  if (s.options.trace_events) report.timeline = s.timeline();
  return report;
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
