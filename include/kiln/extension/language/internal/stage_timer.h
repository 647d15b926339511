// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stage timer. A Timer belongs to a session. Each thread keeps its own trees of stages: one of all its
// work, and one for each job it worked on. So a scope takes no lock; report() merges the trees. When the
// timer is off, a scope costs one relaxed load.
#pragma once

#include <kiln/export.h>
#include <kiln/timing.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace kiln {

/// The stages of the flow; stages.def is the only list.
enum class Stage : uint8_t {
#define KILN_STAGE(id, name, is_wait) id,
#include <kiln/extension/language/internal/stages.def>
#undef KILN_STAGE
};
KILN_API std::string_view stage_name(Stage stage);

class KILN_API Timer {
public:
  Timer();
  ~Timer();
  Timer(const Timer &) = delete;
  Timer &operator=(const Timer &) = delete;

  /// Starts the wall clock and clears the records. Open scopes count for the time before.
  void enable(const TimingOptions &options);
  void enable(bool with_trace_events = false) { enable(TimingOptions{.trace_events = with_trace_events}); }
  void disable();
  void reset(); ///< as enable with the same options, and from now; does nothing while it is off
  bool enabled() const { return enabled_.load(std::memory_order_relaxed); }
  /// Returns TimingOptions::kernels. One load, because every launch calls it.
  bool wants_kernels() const { return kernels_.load(std::memory_order_relaxed); }
  bool wants_passes() const { return enabled() && passes_.load(std::memory_order_relaxed); }
  void set_allocation_counter(AllocationCounter counter); ///< before enable(); null turns the columns off

  TimingReport report() const;    ///< all but the kernels, from any thread
  std::string trace_json() const; ///< Chrome / Perfetto trace events, if enabled with them
  /// The report's process, jobs and products, and single stages if enabled with trace events, as OTLP/JSON.
  /// Spans beyond about `max_bytes` are left out, which the first one counts.
  std::string spans_json(const TimingReport &report, size_t max_bytes) const;

  /// Enters a stage below the one that is open on this thread. Returns a token for leave(). `start`: when it
  /// began, on now()'s clock; 0: now.
  using Token = TimingToken;
  Token enter(std::string_view name, uint64_t start = 0);
  void leave(const Token &token);
  /// A stage that is over, on this thread.
  void add(std::string_view name, uint64_t start, uint64_t end);
  /// A trace event on a row of a device: a kernel that has run there. Nothing without trace events.
  void add_device_event(std::string_view device, std::string_view name, uint64_t start, uint64_t duration);
  bool wants_events() const; ///< TimingOptions::trace_events
  /// Stages of another process, in the order of a report's rows (depth first), below the one that is open on
  /// this thread: it waited for them meanwhile. Their allocations are dropped, which were not this process's.
  void add_rows(std::span<const TimingRow> rows);
  /// Until leave_job, this thread's times count for this job. Name, target and config identify a job
  /// (TimingJob). Inside another job, that job gets a row "other job"; inside the same, nothing changes.
  /// `continues`: for a request that was already counted, and interrupted by other work.
  Token enter_job(std::string_view name, std::string_view target, std::string_view config = {},
                  bool continues = false);
  void leave_job(const Token &token);

  // These describe the job that this thread works on. Without a job they do nothing.
  void set_job_key(std::string_view hex);
  void note_lookup(std::string_view product, std::string_view answer, std::string_view reason);
  void note_product(TimingProduct product); ///< its start and end on now()'s clock
  /// The job's share of a stage that was timed once for several jobs. It adds a row and time to the job, but
  /// not to the thread, which has the whole stage.
  void add_share(std::string_view name, uint64_t nanoseconds);
  // Facts of the report's TimingProcess. The first call counts.
  void note_session(std::string_view build, std::string_view cache_folder);
  void note_gpu(std::string_view name);
  /// Adds a warning to the report. Long ones are shown as `text` alone.
  void warn(std::string_view stage, std::string_view text);

  /// Records the module's LLVM instructions before and after an open stage. Returns true if the stage
  /// multiplied them so much that the report warns.
  bool note_instructions(const Token &token, uint64_t before, uint64_t after);

  /// The timer whose scope this thread is in; null: none, or it is off. For code far from any session that is
  /// seldom slow (a contended lock, opening a library).
  static Timer *of_thread();
  static uint64_t now(); ///< nanoseconds on the steady clock

private:
  struct KILN_LOCAL State;
  std::unique_ptr<State> state_;
  std::atomic<bool> enabled_{false}, passes_{false}, kernels_{false};
};

/// RAII: times the rest of the block as one stage. A null timer is allowed and costs nothing.
class [[nodiscard]] StageScope {
public:
  StageScope(Timer *timer, std::string_view name) : timer_(timer && timer->enabled() ? timer : nullptr) {
    if (timer_) token_ = timer_->enter(name);
  }
  StageScope(Timer *timer, Stage stage) : StageScope(timer, stage_name(stage)) {}
  ~StageScope() {
    if (timer_) timer_->leave(token_);
  }
  StageScope(const StageScope &) = delete;
  StageScope &operator=(const StageScope &) = delete;

  bool is_timed() const { return timer_ != nullptr; }
  /// See Timer::note_instructions; only where is_timed().
  bool note_instructions(uint64_t before, uint64_t after) {
    return timer_->note_instructions(token_, before, after);
  }

private:
  Timer *timer_;
  Timer::Token token_;
};

/// RAII: the rest of the block is work for one job. `identity` returns the three strings of Timer::enter_job;
/// it is called only while the timer is on.
class [[nodiscard]] TimedJob {
public:
  template <class Function>
  TimedJob(Timer *timer, Function &&identity, bool continues = false)
      : timer_(timer && timer->enabled() ? timer : nullptr) {
    if (!timer_) return;
    const auto [name, target, config] = identity();
    token_ = timer_->enter_job(name, target, config, continues);
  }
  TimedJob() : timer_(nullptr) {} ///< times nothing
  ~TimedJob() {
    if (timer_) timer_->leave_job(token_);
  }
  TimedJob(const TimedJob &) = delete;
  TimedJob &operator=(const TimedJob &) = delete;

private:
  Timer *timer_;
  Timer::Token token_;
};

/// Takes a lock. If another thread holds it, the wait is a row of `stage`. `timer`: null, or the result of
/// Timer::of_thread().
template <class Lock> void lock_timed(Lock &lock, Timer *timer, Stage stage) {
  if (lock.try_lock()) return;
  StageScope scope(timer, stage);
  lock.lock();
}

} // namespace kiln
