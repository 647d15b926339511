// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data structures of a timer. Each thread has one tree of all its stages, and one tree for each job. Only the
// thread itself writes to its trees, and other threads read them through atomic pointers. A scope therefore
// takes no lock.
#pragma once

#include <kiln/extension/language/internal/stage_timer.h>

#include <deque>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>

namespace kiln::timing {

struct Tree;

/// A counter that one thread writes and any thread may read. Relaxed: a reader gets some recent value, and
/// concludes nothing about other memory from it.
struct Counter {
  std::atomic<uint64_t> value{0};
  void add(uint64_t n) { value.store(value.load(std::memory_order_relaxed) + n, std::memory_order_relaxed); }
  void set(uint64_t n) { value.store(n, std::memory_order_relaxed); }
  uint64_t get() const { return value.load(std::memory_order_relaxed); }
};

/// A compile job and its records. Name, target and config never change; the timer's mutex guards the other
/// fields.
struct Job {
  std::string name, target, config;
  std::string key;
  std::vector<TimingLookup> lookups;
  std::vector<TimingProduct> products; ///< their times are nanoseconds of the steady clock
  std::string file;
  uint32_t line = 0;
  std::vector<TimingDump> dumps;
};

/// A node of a thread's timing tree: the root, or a stage that is nested in its parent.
struct Node {
  std::string name;
  Tree *tree = nullptr;
  Node *parent = nullptr;
  Job *job = nullptr; ///< the tree has the stages of this job; null: of all jobs
  uint64_t first_entered = 0;
  Counter calls, nanoseconds, allocations, allocated_bytes;
  /// Part of `nanoseconds` spent for jobs (TimingRow::job_nanoseconds). Unused in the tree of a single job.
  /// In the root: time for jobs outside of all stages.
  Counter job_nanoseconds;
  Counter instructions_before, instructions_after;
  Counter open_since; ///< start of the stage if it is running now, in ns; 0: not running
  std::atomic<Node *> first_child{nullptr}, next_sibling{nullptr};

  uint64_t elapsed(uint64_t time) const {
    const uint64_t since = open_since.get();
    return nanoseconds.get() + (since && time > since ? time - since : 0);
  }
};

struct Event {
  const Node *node;
  Job *job;
  uint64_t start, duration;
};

/// Value of a counter in the trace, such as the number of compiled products, at one time.
struct Sample {
  enum class Kind : uint8_t { Compiled, Found, Instructions };
  Kind kind;
  const Tree *tree; ///< the thread of a sample of Instructions; else null
  uint64_t time, value;
};

/// Records of one thread since the timer was last enabled.
struct Tree {
  std::atomic<const void *> owner{nullptr}; ///< the timer's State; null after its destruction
  std::atomic<bool> abandoned{false};       ///< its thread has ended; another thread may reuse the tree
  uint64_t generation = 0;
  bool trace = false;
  std::thread::id thread = std::this_thread::get_id();
  std::string name; ///< the thread's name (pthread_getname_np); empty: unnamed
  bool is_main = false;
  bool has_instructions = false; ///< the thread's last sample of Instructions was not 0
  Counter open;                  ///< number of open scopes
  std::deque<Node> nodes;        ///< a deque, because nodes must keep their addresses
  Node *root = nullptr, *current = nullptr;
  Node *job_current = nullptr; ///< innermost open stage in the current job's tree; null: no job
  std::atomic<Node *> first_job{nullptr};
  std::unordered_map<Job *, Node *> job_roots;
  std::mutex events_mutex; ///< guards `events`; taken only if trace events are recorded
  std::vector<Event> events;

  Tree() {
    root = current = &nodes.emplace_back();
    root->tree = this;
  }
  Node *child(Node *parent, std::string_view name, uint64_t time);
  Node *job_root(Job *job, uint64_t time);
};

// Order: only the tree's thread adds nodes, so that its own loads may be relaxed. A reader on another thread
// follows first_child and next_sibling with acquire, which pairs with the release after a node is filled.
inline Node *Tree::child(Node *parent, std::string_view name, uint64_t time) {
  Node *last = nullptr;
  for (Node *n = parent->first_child.load(std::memory_order_relaxed); n;
       last = n, n = n->next_sibling.load(std::memory_order_relaxed))
    if (n->name == name) return n;
  Node *made = &nodes.emplace_back();
  made->name = name;
  made->tree = this;
  made->parent = parent;
  made->job = parent->job;
  made->first_entered = time;
  (last ? last->next_sibling : parent->first_child).store(made, std::memory_order_release);
  return made;
}

inline Node *Tree::job_root(Job *job, uint64_t time) {
  Node *&root_of_job = job_roots[job];
  if (root_of_job) return root_of_job;
  Node *made = &nodes.emplace_back();
  made->tree = this;
  made->job = job;
  made->first_entered = time;
  made->next_sibling.store(first_job.load(std::memory_order_relaxed), std::memory_order_relaxed);
  first_job.store(made, std::memory_order_release);
  return root_of_job = made;
}

} // namespace kiln::timing

namespace kiln {

struct Timer::State {
  static constexpr uint64_t kept_events = 1'000'000;
  static constexpr size_t kept_warnings = 1000;

  mutable std::mutex mutex;
  /// Trees of the threads that used the timer since it was last enabled, in the order of first use.
  std::vector<std::shared_ptr<timing::Tree>> trees;
  /// Trees of recordings before the timer was last enabled, kept while one of their scopes is open.
  std::vector<std::shared_ptr<timing::Tree>> retired;
  std::atomic<uint64_t> generation{0};
  TimingOptions options;
  AllocationCounter counter = nullptr;
  AllocationCount allocated_at_start, allocated_at_stop;
  std::thread::id enabling_thread;
  uint64_t started = 0, stopped = 0; ///< ns of the steady clock; stopped 0: still running
  uint64_t started_utc = 0;          ///< `started` in nanoseconds since 1970
  std::string build, cache_folder, gpu;
  std::shared_ptr<std::deque<timing::Job>> jobs = std::make_shared<std::deque<timing::Job>>();
  std::vector<std::shared_ptr<std::deque<timing::Job>>> retired_jobs; ///< jobs of the trees in `retired`
  std::unordered_map<std::string, timing::Job *> jobs_by_name;
  std::vector<TimingWarning> warnings;
  std::atomic<uint64_t> events{0};
  struct DeviceEvent {
    std::string device, name;
    uint64_t start, duration;
  };
  std::vector<DeviceEvent> device_events;   ///< guarded by `mutex`
  uint64_t num_compiled = 0, num_found = 0; ///< number of cache look-ups by result; guarded by `mutex`
  std::vector<timing::Sample> samples;      ///< guarded by `mutex`

  /// Records the value of a trace counter, if trace events are enabled. The caller holds the mutex.
  void sample(timing::Sample::Kind kind, const timing::Tree *tree, uint64_t value);
  std::string thread_name(size_t tree) const; ///< the caller holds the mutex
  TimingTimeline timeline() const;            ///< the caller holds the mutex
  timing::Tree &tree_of_this_thread();
  timing::Job *job_named(std::string_view name, std::string_view target, std::string_view config);
  /// Returns the job of the calling thread, or null. The caller holds the mutex.
  timing::Job *job_of_this_thread();
  void record(timing::Tree &tree, const timing::Node &node, timing::Job *job, uint64_t start,
              uint64_t duration);
};

} // namespace kiln
