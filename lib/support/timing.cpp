// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "timing_tree.h"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>
#include <unordered_set>

namespace kiln {

using timing::Job;
using timing::Node;
using timing::Tree;

std::string_view stage_name(Stage stage) {
  static constexpr std::string_view names[] = {
#define KILN_STAGE(id, name, is_wait) name,
#include <kiln/extension/language/internal/stages.def>
#undef KILN_STAGE
  };
  return names[size_t(stage)];
}

namespace {

/// Timing trees of one thread, one for each timer that the thread uses. Trees may outlive their timer, hence
/// the shared_ptr. When a thread ends, another thread may reuse its trees. A program that starts a thread for
/// each job therefore does not collect trees.
struct KnownTrees {
  std::vector<std::shared_ptr<Tree>> list;
  ~KnownTrees() {
    for (auto &tree : list)
      if (tree->open.get() == 0) tree->abandoned.store(true, std::memory_order_release);
  }
};

/// Timer of the innermost open scope of this thread. The pointer may dangle if a scope ended on another
/// thread or out of order. LiveTimers detects a dangling pointer.
thread_local Timer *thread_timer = nullptr;

/// Registry of all timers of the process that are not destroyed yet.
class LiveTimers {
public:
  void add(const Timer *timer) {
    std::lock_guard lock(mutex_);
    timers_.insert(timer);
  }
  void remove(const Timer *timer) {
    std::lock_guard lock(mutex_);
    timers_.erase(timer);
  }
  bool contains(const Timer *timer) {
    std::lock_guard lock(mutex_);
    return timers_.contains(timer);
  }
  static LiveTimers &all() {
    static LiveTimers &timers =
        *new LiveTimers; // never destroyed: sessions in static variables may still use it at exit
    return timers;
  }

private:
  std::mutex mutex_;
  std::unordered_set<const Timer *> timers_;
};

/// Makes the calling thread the only writer of the tree, and records the thread's name.
void adopt(Tree &tree) {
  tree.thread = std::this_thread::get_id();
  tree.is_main = ::gettid() == ::getpid();
  char name[16] = {};
  ::pthread_getname_np(::pthread_self(), name, sizeof name);
  // If a thread was never named, the system returns the program's name for it.
  const std::string_view program = std::string_view(program_invocation_short_name).substr(0, sizeof name - 1);
  tree.name = name == program ? "" : name;
}

/// Counts a stage inside a job as job time. leave_job() adds the whole time of a job outside of all stages to
/// the root, so a top-level stage subtracts its own time there. The root keeps the job's time outside of
/// stages.
void count_for_job(Node &node, uint64_t duration) {
  node.job_nanoseconds.add(duration);
  if (node.parent && !node.parent->parent) node.parent->job_nanoseconds.add(0 - duration);
}

} // namespace

uint64_t Timer::now() {
  return uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(
                      std::chrono::steady_clock::now().time_since_epoch())
                      .count());
}

Timer *Timer::of_thread() {
  Timer *timer = thread_timer;
  return timer && LiveTimers::all().contains(timer) && timer->enabled() ? timer : nullptr;
}

Tree &Timer::State::tree_of_this_thread() {
  thread_local KnownTrees known;
  const uint64_t current = generation.load(std::memory_order_acquire);
  for (auto &tree : known.list)
    if (tree->owner.load(std::memory_order_relaxed) == this && tree->generation == current) return *tree;
  std::erase_if(known.list, [&](const auto &tree) {
    const void *owner = tree->owner.load(std::memory_order_relaxed);
    return (owner == nullptr || owner == this) && tree->open.get() == 0;
  });
  std::lock_guard lock(mutex);
  const uint64_t now_current = generation.load(std::memory_order_relaxed);
  for (auto &tree : trees)
    if (tree->thread != enabling_thread && tree->abandoned.load(std::memory_order_acquire)) {
      tree->abandoned.store(false, std::memory_order_relaxed);
      adopt(*tree);
      known.list.push_back(tree);
      return *tree;
    }
  auto tree = std::make_shared<Tree>();
  adopt(*tree);
  tree->owner = this;
  tree->generation = now_current;
  tree->trace = options.trace_events;
  trees.push_back(tree);
  known.list.push_back(tree);
  return *tree;
}

Job *Timer::State::job_named(std::string_view name, std::string_view target, std::string_view config) {
  std::string all = fmt::format("{}\n{}\n{}", name, target, config);
  std::lock_guard lock(mutex);
  auto found = jobs_by_name.find(all);
  if (found != jobs_by_name.end()) return found->second;
  if (jobs->size() > TimingReport::kept_jobs) return &jobs->back();
  Job &job = jobs->emplace_back();
  if (jobs->size() > TimingReport::kept_jobs) {
    job.name = fmt::format("all jobs after the first {}", TimingReport::kept_jobs);
    return &job;
  }
  job.name = name;
  job.target = target;
  job.config = config;
  jobs_by_name.emplace(std::move(all), &job);
  return &job;
}

Job *Timer::State::job_of_this_thread() {
  for (const auto &tree : trees)
    if (tree->thread == std::this_thread::get_id() && !tree->abandoned.load(std::memory_order_relaxed))
      return tree->job_current ? tree->job_current->job : nullptr;
  return nullptr;
}

void Timer::State::record(Tree &tree, const Node &node, Job *job, uint64_t start, uint64_t duration) {
  if (events.fetch_add(1, std::memory_order_relaxed) >= kept_events) return;
  std::lock_guard lock(tree.events_mutex);
  tree.events.push_back({&node, job, start, duration});
}

Timer::Timer() : state_(std::make_unique<State>()) { LiveTimers::all().add(this); }

Timer::~Timer() {
  LiveTimers::all().remove(this);
  for (auto *list : {&state_->trees, &state_->retired})
    for (auto &tree : *list) tree->owner = nullptr;
}

void Timer::set_allocation_counter(AllocationCounter counter) {
  std::lock_guard lock(state_->mutex);
  state_->counter = counter;
}

void Timer::enable(const TimingOptions &options) {
  State &s = *state_;
  std::lock_guard lock(s.mutex);
  std::move(s.trees.begin(), s.trees.end(), std::back_inserter(s.retired));
  s.trees.clear();
  std::erase_if(s.retired, [](const auto &tree) {
    if (tree->open.get() != 0) return false;
    tree->owner = nullptr;
    return true;
  });
  if (s.retired.empty())
    s.retired_jobs.clear();
  else
    s.retired_jobs.push_back(s.jobs);
  s.jobs = std::make_shared<std::deque<Job>>();
  s.jobs_by_name.clear();
  s.warnings.clear();
  s.events = 0;
  s.device_events.clear();
  s.num_compiled = s.num_found = 0;
  s.samples.clear();
  s.options = options;
  s.options.since = 0; // a later reset() must start from the time of its call
  s.enabling_thread = std::this_thread::get_id();
  s.generation.fetch_add(1, std::memory_order_release);
  s.stopped = 0;
  if (s.counter) s.allocated_at_start = s.counter();
  const uint64_t time = now();
  s.started = options.since ? std::min(options.since, time) : time;
  s.started_utc = uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(
                               std::chrono::system_clock::now().time_since_epoch())
                               .count()) -
                  (time - s.started);
  passes_.store(options.passes, std::memory_order_relaxed);
  kernels_.store(options.kernels, std::memory_order_relaxed);
  enabled_.store(true, std::memory_order_release);
}

void Timer::reset() {
  if (!enabled()) return;
  TimingOptions options;
  {
    std::lock_guard lock(state_->mutex);
    options = state_->options;
  }
  enable(options);
}

void Timer::disable() {
  std::lock_guard lock(state_->mutex);
  if (!enabled_.exchange(false)) return;
  kernels_.store(false, std::memory_order_relaxed);
  state_->stopped = now();
  if (state_->counter) state_->allocated_at_stop = state_->counter();
}

Timer::Token Timer::enter(std::string_view name, uint64_t start) {
  Tree &tree = state_->tree_of_this_thread();
  Token token;
  token.thread = &tree;
  token.before = std::exchange(thread_timer, this);
  if (state_->counter) token.allocated = state_->counter();
  token.start = start ? start : now();
  auto open = [&](Node *&current) {
    Node *node = tree.child(current, name, token.start);
    node->open_since.set(token.start);
    return current = node;
  };
  token.node = open(tree.current);
  if (tree.job_current) token.job_node = open(tree.job_current);
  tree.open.add(1);
  return token;
}

void Timer::leave(const Token &token) {
  Tree &tree = *static_cast<Tree *>(token.thread);
  const uint64_t time = now(), duration = time - std::min(time, token.start);
  AllocationCount used;
  if (state_->counter) {
    const AllocationCount after = state_->counter();
    used = {after.count - token.allocated.count, after.bytes - token.allocated.bytes};
  }
  auto close = [&](Node *node) {
    node->calls.add(1);
    node->nanoseconds.add(duration);
    node->open_since.set(0);
    node->allocations.add(used.count);
    node->allocated_bytes.add(used.bytes);
  };
  // Scopes may end out of order. If `current` is the ended scope or nested in it, continue in its parent.
  auto step_out = [](Node *&current, Node *node) {
    for (Node *n = current; n; n = n->parent)
      if (n == node) {
        current = node->parent;
        return;
      }
  };
  Node *node = static_cast<Node *>(token.node), *job_node = static_cast<Node *>(token.job_node);
  close(node);
  if (job_node) {
    close(job_node);
    count_for_job(*node, duration);
  }
  tree.open.add(uint64_t(-1));
  if (tree.trace) state_->record(tree, *node, job_node ? job_node->job : nullptr, token.start, duration);
  if (tree.thread != std::this_thread::get_id()) return;
  thread_timer = token.before;
  step_out(tree.current, node);
  if (job_node) step_out(tree.job_current, job_node);
}

void Timer::add(std::string_view name, uint64_t start, uint64_t end) {
  Tree &tree = state_->tree_of_this_thread();
  const uint64_t duration = end - std::min(start, end);
  auto add_to = [&](Node *current) {
    Node *node = tree.child(current, name, start);
    node->calls.add(1);
    node->nanoseconds.add(duration);
    return node;
  };
  Node *node = add_to(tree.current);
  Job *job = nullptr;
  if (tree.job_current) {
    job = add_to(tree.job_current)->job;
    count_for_job(*node, duration);
  }
  if (tree.trace) state_->record(tree, *node, job, start, duration);
}

void Timer::add_rows(std::span<const TimingRow> rows) {
  Tree &tree = state_->tree_of_this_thread();
  const uint64_t time = now();
  auto add_below = [&](Node *current) {
    if (!current) return;
    std::vector<Node *> path{current}; // stack: parents of the previous row, then that row
    for (const TimingRow &row : rows) {
      path.resize(std::min(path.size(), size_t(std::max(row.depth, 0)) + 1));
      Node *node = tree.child(path.back(), row.name, time);
      node->calls.add(row.calls);
      node->nanoseconds.add(row.nanoseconds);
      if (tree.job_current) node->job_nanoseconds.add(row.nanoseconds);
      node->instructions_before.add(row.instructions_before);
      node->instructions_after.add(row.instructions_after);
      path.push_back(node);
    }
  };
  add_below(tree.current);
  add_below(tree.job_current);
}

Timer::Token Timer::enter_job(std::string_view name, std::string_view target, std::string_view config,
                              bool continues) {
  Tree &tree = state_->tree_of_this_thread();
  Job *job = state_->job_named(name, target, config);
  Token token;
  token.continues = continues;
  token.thread = &tree;
  token.before = std::exchange(thread_timer, this);
  token.start = now();
  tree.open.add(1);
  Node *outer = tree.job_current;
  if (outer && outer->job == job) return token;
  if (outer) {
    Node *other = tree.child(outer, stage_name(Stage::OtherJob), token.start);
    other->open_since.set(token.start);
    token.job_node = other;
  }
  Node *root = tree.job_root(job, token.start);
  root->open_since.set(token.start);
  token.node = tree.job_current = root;
  return token;
}

void Timer::leave_job(const Token &token) {
  Tree &tree = *static_cast<Tree *>(token.thread);
  const uint64_t time = now(), duration = time - std::min(time, token.start);
  tree.open.add(uint64_t(-1));
  const bool same_thread = tree.thread == std::this_thread::get_id();
  if (same_thread) thread_timer = token.before;
  Node *root = static_cast<Node *>(token.node), *other = static_cast<Node *>(token.job_node);
  if (!root) return; // the scope is nested in the same job
  for (Node *node : {root, other}) {
    if (!node) continue;
    if (node == other || !token.continues) node->calls.add(1);
    node->nanoseconds.add(duration);
    node->open_since.set(0);
  }
  if (!other && same_thread) // an outermost job counts for the open stages around it, or for the root
    for (Node *node = tree.current; node && (node->parent || node == tree.current); node = node->parent)
      node->job_nanoseconds.add(duration);
  if (tree.trace) {
    state_->record(tree, *root, root->job, token.start, duration);
    if (std::exchange(tree.has_instructions, false)) {
      std::lock_guard lock(state_->mutex);
      state_->sample(timing::Sample::Kind::Instructions, &tree, 0);
    }
  }
  if (same_thread) tree.job_current = other ? other->parent : nullptr;
}

void Timer::add_share(std::string_view name, uint64_t nanoseconds) {
  Tree &tree = state_->tree_of_this_thread();
  if (!tree.job_current) return;
  Node *share = tree.child(tree.job_current, name, now());
  share->calls.add(1);
  for (Node *node = share; node; node = node->parent) node->nanoseconds.add(nanoseconds);
}

TimingScope::TimingScope(std::shared_ptr<Timer> timer, std::string_view stage)
    : timer_(timer && timer->enabled() ? std::move(timer) : nullptr) {
  if (timer_) token_ = timer_->enter(stage);
}

TimingScope::TimingScope(std::shared_ptr<Timer> timer, std::string_view job, std::string_view target)
    : timer_(timer && timer->enabled() ? std::move(timer) : nullptr), job_(true) {
  if (timer_) token_ = timer_->enter_job(job, target);
}

void TimingScope::end() {
  const std::shared_ptr<Timer> timer = std::exchange(timer_, nullptr);
  if (!timer) return;
  if (job_)
    timer->leave_job(token_);
  else
    timer->leave(token_);
}

} // namespace kiln
