// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <kiln/extension/language/stage_timer.h>

#include "json.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <mutex>
#include <thread>

namespace kiln {

std::string_view stage_name(Stage stage) {
  static constexpr std::string_view names[] = {
#define KILN_STAGE(id, name, skippable) name,
#include <kiln/extension/language/stages.def>
#undef KILN_STAGE
  };
  return names[size_t(stage)];
}

namespace {

struct Tree;

uint64_t now() {
  return uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(
                      std::chrono::steady_clock::now().time_since_epoch())
                      .count());
}

/// A counter that one thread writes and any may read.
struct Counter {
  std::atomic<uint64_t> value{0};
  void add(uint64_t n) { value.store(value.load(std::memory_order_relaxed) + n, std::memory_order_relaxed); }
  void set(uint64_t n) { value.store(n, std::memory_order_relaxed); }
  uint64_t get() const { return value.load(std::memory_order_relaxed); }
};

/// A stage below its parent. Only its thread writes; a reader follows the published links.
struct Node {
  std::string name;
  Tree *tree = nullptr;
  Node *parent = nullptr;
  uint64_t first_entered = 0;
  Counter calls, nanoseconds, allocations, allocated_bytes;
  Counter open_since; ///< 0: not running now
  std::atomic<Node *> first_child{nullptr}, next_sibling{nullptr};
};

struct Event {
  const Node *node;
  uint64_t start, duration;
};

/// What one thread recorded since the timer was last enabled.
struct Tree {
  std::atomic<const void *> owner{nullptr}; ///< the timer's state; null once that is gone
  uint64_t generation = 0;
  bool trace = false;
  std::thread::id thread = std::this_thread::get_id();
  std::deque<Node> nodes; ///< stable addresses
  Node *root = nullptr, *current = nullptr;
  std::mutex events_mutex; ///< taken only where trace events are recorded
  std::vector<Event> events;

  Tree() {
    root = current = &nodes.emplace_back();
    root->tree = this;
  }

  Node *child(std::string_view name, uint64_t time) {
    Node *last = nullptr;
    for (Node *n = current->first_child.load(std::memory_order_relaxed); n;
         last = n, n = n->next_sibling.load(std::memory_order_relaxed))
      if (n->name == name) return n;
    Node *made = &nodes.emplace_back();
    made->name = name;
    made->tree = this;
    made->parent = current;
    made->first_entered = time;
    (last ? last->next_sibling : current->first_child).store(made, std::memory_order_release);
    return made;
  }
};

} // namespace

struct Timer::State {
  mutable std::mutex mutex;
  std::vector<std::shared_ptr<Tree>> trees;   ///< of this generation, in order of first use
  std::vector<std::shared_ptr<Tree>> retired; ///< of earlier ones: a scope may still be open in them
  std::atomic<uint64_t> generation{0};
  bool trace = false;
  AllocationCounter counter = nullptr;
  AllocationCount allocated_at_start, allocated_at_stop;
  std::thread::id enabling_thread;
  uint64_t started = 0, stopped = 0; ///< stopped 0: still running

  Tree &tree_of_this_thread() {
    // What this thread has in the timers it met. An entry outlives its timer by its shared_ptr, so a new
    // timer at an old one's address is told apart by `owner`.
    thread_local std::vector<std::shared_ptr<Tree>> known;
    uint64_t current = generation.load(std::memory_order_acquire);
    for (auto &tree : known)
      if (tree->owner.load(std::memory_order_relaxed) == this && tree->generation == current) return *tree;
    std::erase_if(known, [&](const auto &tree) {
      const void *owner = tree->owner.load(std::memory_order_relaxed);
      return owner == nullptr || owner == this;
    });
    auto tree = std::make_shared<Tree>();
    std::lock_guard lock(mutex);
    tree->owner = this;
    tree->generation = generation.load(std::memory_order_relaxed);
    tree->trace = trace;
    trees.push_back(tree);
    known.push_back(tree);
    return *tree;
  }
};

Timer::Timer() : state_(std::make_unique<State>()) {}

Timer::~Timer() {
  for (auto *list : {&state_->trees, &state_->retired})
    for (auto &tree : *list) tree->owner = nullptr;
}

void Timer::set_allocation_counter(AllocationCounter counter) {
  std::lock_guard lock(state_->mutex);
  state_->counter = counter;
}

void Timer::enable(bool with_trace_events) {
  std::lock_guard lock(state_->mutex);
  std::move(state_->trees.begin(), state_->trees.end(), std::back_inserter(state_->retired));
  state_->trees.clear();
  state_->trace = with_trace_events;
  state_->enabling_thread = std::this_thread::get_id();
  state_->generation.fetch_add(1, std::memory_order_release);
  state_->stopped = 0;
  if (state_->counter) state_->allocated_at_start = state_->counter();
  state_->started = now();
  enabled_.store(true, std::memory_order_release);
}

void Timer::disable() {
  std::lock_guard lock(state_->mutex);
  if (!enabled_.exchange(false)) return;
  state_->stopped = now();
  if (state_->counter) state_->allocated_at_stop = state_->counter();
}

Timer::Token Timer::enter(std::string_view name) {
  Tree &tree = state_->tree_of_this_thread();
  Token token;
  if (state_->counter) token.allocated = state_->counter();
  token.start = now();
  Node *node = tree.child(name, token.start);
  node->open_since.set(token.start);
  tree.current = node;
  token.node = node;
  return token;
}

void Timer::leave(const Token &token) {
  Node *node = static_cast<Node *>(token.node);
  Tree &tree = *node->tree;
  uint64_t duration = now() - token.start;
  node->calls.add(1);
  node->nanoseconds.add(duration);
  node->open_since.set(0);
  if (state_->counter) {
    AllocationCount after = state_->counter();
    node->allocations.add(after.count - token.allocated.count);
    node->allocated_bytes.add(after.bytes - token.allocated.bytes);
  }
  tree.current = node->parent;
  if (tree.trace) {
    std::lock_guard lock(tree.events_mutex);
    tree.events.push_back({node, token.start, duration});
  }
}

namespace {

/// The same stage of several threads, added up.
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
      uint64_t since = n->open_since.get();
      found->first_entered = std::min(found->first_entered, n->first_entered);
      found->row.calls += n->calls.get() + (since ? 1 : 0);
      found->row.nanoseconds += n->nanoseconds.get() + (since && time > since ? time - since : 0);
      found->row.allocated.count += n->allocations.get();
      found->row.allocated.bytes += n->allocated_bytes.get();
      found->add(*n, time);
    }
  }

  void flatten(int depth, std::vector<TimingRow> &into) {
    std::stable_sort(children.begin(), children.end(),
                     [](const Merged &a, const Merged &b) { return a.first_entered < b.first_entered; });
    for (Merged &child : children) {
      child.row.name = child.name;
      child.row.depth = depth;
      into.push_back(child.row);
      child.flatten(depth + 1, into);
    }
  }
};

} // namespace

TimingReport Timer::report() const {
  std::lock_guard lock(state_->mutex);
  TimingReport report;
  if (state_->started == 0) return report;
  uint64_t time = state_->stopped ? state_->stopped : now();
  report.wall_nanoseconds = time - state_->started;
  report.has_allocations = state_->counter != nullptr;

  Merged all, enabling;
  for (const auto &tree : state_->trees) {
    all.add(*tree->root, time);
    if (tree->thread == state_->enabling_thread) enabling.add(*tree->root, time);
  }
  all.flatten(0, report.rows);

  // What the enabling thread spent outside of every stage: the wall clock is its own.
  TimingRow untimed{.name = "untimed", .calls = 1, .nanoseconds = report.wall_nanoseconds};
  bool own_thread = std::this_thread::get_id() == state_->enabling_thread;
  if (state_->counter && (own_thread || state_->stopped)) {
    AllocationCount last = state_->stopped ? state_->allocated_at_stop : state_->counter();
    untimed.allocated.count = last.count - state_->allocated_at_start.count;
    untimed.allocated.bytes = last.bytes - state_->allocated_at_start.bytes;
  }
  for (const Merged &m : enabling.children) {
    untimed.nanoseconds -= std::min(untimed.nanoseconds, m.row.nanoseconds);
    untimed.allocated.count -= std::min(untimed.allocated.count, m.row.allocated.count);
    untimed.allocated.bytes -= std::min(untimed.allocated.bytes, m.row.allocated.bytes);
  }
  report.rows.push_back(std::move(untimed));
  return report;
}

std::string Timer::trace_json() const {
  std::lock_guard lock(state_->mutex);
  std::string out = "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [";
  bool first = true;
  for (size_t thread = 0; thread < state_->trees.size(); ++thread) {
    Tree &tree = *state_->trees[thread];
    std::lock_guard events_lock(tree.events_mutex);
    for (const Event &e : tree.events) {
      out += fmt::format(
          "{}\n{{\"name\": {}, \"cat\": \"kiln\", \"ph\": \"X\", \"pid\": 1, \"tid\": {}, \"ts\": {:.3f}, \"dur\": {:.3f}}}",
          first ? "" : ",", json_string(e.node->name), thread + 1,
          double(e.start - std::min(e.start, state_->started)) / 1000.0, double(e.duration) / 1000.0);
      first = false;
    }
  }
  return out + "\n]}\n";
}

} // namespace kiln
