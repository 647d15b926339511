// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "work_threads.h"

#include "thread_pool.h"

#include <support/exceptions.h>
#include <support/float_environment.h>
#include <support/support.h>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

namespace kiln {

CpuExecutor::~CpuExecutor() = default;

// Report oneTBB's synchronisation to ThreadSanitizer, which cannot see into that library.
#if __has_feature(thread_sanitizer)
extern "C" void __tsan_release(void *address);
extern "C" void __tsan_acquire(void *address);
static void hand_over(void *address) { __tsan_release(address); }
static void take_over(void *address) { __tsan_acquire(address); }
#else
static void hand_over(void *) {}
static void take_over(void *) {}
#endif

namespace {

/// Body of a oneTBB range. A type of its own, since oneTBB copies bodies between threads and ThreadSanitizer
/// must ignore accesses to the copies.
struct ForRange {
  void (*body)(void *, uint64_t, uint64_t);
  void *context;

  ForRange(void (*b)(void *, uint64_t, uint64_t), void *c) : body(b), context(c) {}
  [[clang::no_sanitize("thread")]] ForRange(const ForRange &other)
      : body(other.body), context(other.context) {}
  ForRange &operator=(const ForRange &) = delete;
  ~ForRange() = default;

  [[clang::no_sanitize("thread")]] void operator()(const tbb::blocked_range<uint64_t> &range) const {
    take_over(context);
    run(body, context, range.begin(), range.end());
    hand_over(context);
  }
  void run(uint64_t begin, uint64_t end) const { run(body, context, begin, end); }

private:
  static void run(void (*body)(void *, uint64_t, uint64_t), void *context, uint64_t begin, uint64_t end) {
    const KernelFloatEnvironment environment; // set the default: a worker inherits its creator's environment
    body(context, begin, end);
  }
};

struct QueuedWork {
  void (*work)(void *);
  void *context;
  [[clang::no_sanitize("thread")]] void operator()() const {
    take_over(context);
    work(context);
  }
};

/// State of one parallel_for on an embedder's executor.
struct Progress {
  const ForRange body;
  const uint64_t count;
  std::atomic<uint64_t> done{0};
  std::atomic<bool> is_out_of_range{false};
  std::mutex mutex;
  std::exception_ptr thrown; ///< first exception of the body; null: none; protected by the mutex

  static void call(void *context, uint64_t begin, uint64_t end) {
    auto &self = *static_cast<Progress *>(context);
    if (begin > end || end > self.count) {
      self.is_out_of_range = true;
      return;
    }
    try {
      self.body.run(begin, end);
    } catch (...) {
      std::lock_guard lock(self.mutex);
      if (!self.thrown) self.thrown = std::current_exception();
    }
    self.done.fetch_add(end - begin);
  }
};

/// Work for an embedder's arena. The work runs at most once, and never after the launch returned. The
/// embedder's copies of the function may outlive the launch.
class ArenaWork {
public:
  explicit ArenaWork(const std::function<void()> &work) : work_(&work) {}

  /// Runs the work. Does nothing at a second call, or after close(). The embedder calls it.
  void run() {
    int expected = Waiting;
    if (!phase_.compare_exchange_strong(expected, Running)) return;
    try {
      (*work_)();
    } catch (...) {
      thrown_ = std::current_exception();
    }
    phase_ = Done;
    phase_.notify_all();
  }
  /// Called after the arena returned. Waits if the work still runs on another thread. Returns false if the
  /// work has not run and never will.
  bool close() {
    int phase = Waiting;
    if (phase_.compare_exchange_strong(phase, Closed)) return false;
    for (; phase != Done; phase = phase_) phase_.wait(phase);
    return true;
  }
  std::exception_ptr thrown() const { return thrown_; } ///< after close() returned true

private:
  enum Phase { Waiting, Running, Done, Closed };
  std::atomic<int> phase_{Waiting};
  const std::function<void()> *work_;
  std::exception_ptr thrown_;
};

/// Runs `work` inside the embedder's arena. Error: Usage if the arena throws, or does not run the work.
Result<void> run_in_arena(const std::function<void(const std::function<void()> &)> &arena,
                          const std::function<void()> &work) {
  const auto shared = std::make_shared<ArenaWork>(work);
  std::optional<Error> failed;
  try {
    arena([shared] { shared->run(); });
  } catch (...) {
    failed.emplace(usage_error(
        fmt::format("the embedder's cpu_arena threw an exception: {}", text_of_current_exception())));
  }
  const bool has_run = shared->close();
  if (has_run && shared->thrown()) std::rethrow_exception(shared->thrown());
  if (failed) return std::move(*failed);
  if (!has_run)
    return usage_error(
        "the embedder's cpu_arena came back without having called the function that it was given");
  return {};
}

/// Process that first used oneTBB; 0: none yet. A forked child of that process must not use oneTBB, which
/// would wait for threads that the child lacks.
std::atomic<uint64_t> process_of_tbb{0};

bool is_tbb_usable() {
  uint64_t none = 0;
  const uint64_t here = process_token();
  return process_of_tbb.compare_exchange_strong(none, here) || none == here;
}

} // namespace

struct WorkThreads::Tbb {
  std::function<void(const std::function<void()> &)> embedder_arena;
  std::optional<tbb::global_control> control; ///< set only if more threads are requested than there are cores
  std::optional<tbb::task_arena> arena;
  std::once_flag queue_once;
  std::optional<tbb::task_arena> queue; ///< for streams
};

WorkThreads::WorkThreads(const ExecutorOptions &options) : executor_(options.executor) {
  if (!executor_ && !options.arena && !is_tbb_usable())
    executor_ = std::make_shared<ThreadPool>(options.threads);
  if (executor_) {
    threads_ = std::max(1u, executor_->threads());
    return;
  }
  tbb_ = std::make_unique<Tbb>();
  tbb_->embedder_arena = options.arena;
  if (!options.threads) return;
  if (options.threads > unsigned(tbb::this_task_arena::max_concurrency()))
    tbb_->control.emplace(tbb::global_control::max_allowed_parallelism, options.threads);
  tbb_->arena.emplace(int(options.threads));
}
WorkThreads::~WorkThreads() = default;

unsigned WorkThreads::threads() const {
  if (executor_) return threads_;
  return unsigned(tbb_->arena ? tbb_->arena->max_concurrency() : tbb::this_task_arena::max_concurrency());
}

Result<void> WorkThreads::run_all(uint64_t count, Body body, void *context) {
  const ForRange range{body, context};
  if (count == 1) {
    range.run(0, 1);
    return {};
  }
  if (!executor_) {
    const KernelFloatEnvironment environment; // oneTBB restores the caller's modes, but not its flags
    auto all = [&] { tbb::parallel_for(tbb::blocked_range<uint64_t>(0, count), range); };
    hand_over(context);
    Result<void> done;
    if (tbb_->embedder_arena)
      done = run_in_arena(tbb_->embedder_arena, std::ref(all));
    else if (tbb_->arena)
      tbb_->arena->execute(all);
    else
      all();
    take_over(context);
    return done;
  }
  Progress progress{.body = range, .count = count, .mutex = {}, .thrown = {}};
  try {
    executor_->parallel_for(count, &Progress::call, &progress);
  } catch (...) {
    return usage_error(
        fmt::format("the embedder's executor threw out of parallel_for: {}", text_of_current_exception()));
  }
  if (progress.thrown) std::rethrow_exception(progress.thrown);
  if (progress.is_out_of_range)
    return usage_error(
        fmt::format("the embedder's executor called a body out of the range from 0 to {}", count));
  if (const uint64_t done = progress.done; done != count)
    return usage_error(fmt::format(
        "the embedder's executor was to run {} indices in parallel_for, and ran {}", count, done));
  return {};
}

void WorkThreads::enqueue(void (*work)(void *), void *context) {
  if (executor_) {
    try {
      executor_->submit(work, context);
    } catch (...) {
      work(context); // kiln/executor.h: work that an executor rejects runs here
    }
    return;
  }
  Tbb &s = *tbb_;
  // Reserve one slot of the arena for an external thread, though none uses it. oneTBB has one worker less
  // than cores. Without the slot, it prints "The request for ... workers is ignored" to stderr.
  std::call_once(s.queue_once, [&] {
    s.queue.emplace(s.arena ? s.arena->max_concurrency() : int(tbb::task_arena::automatic), 1);
  });
  hand_over(context);
  s.queue->enqueue(QueuedWork{work, context});
}

} // namespace kiln
