// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The timer of stages. A Timer belongs to a session. Each thread has its own trees of stages: one for all its
// work and one for each job, so that scopes take no lock. report() merges the trees. A scope of a timer that
// is off costs one relaxed load.
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

/// The timed stages; stages.def lists them.
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

  /// Starts the timer and clears its records. Scopes that are open now are not recorded any more.
  void enable(const TimingOptions &options);
  void enable(bool with_trace_events = false) { enable(TimingOptions{.trace_events = with_trace_events}); }
  void disable();
  void reset(); ///< clears the records and restarts the wall time; does nothing while the timer is off
  bool enabled() const { return enabled_.load(std::memory_order_relaxed); }
  /// Returns TimingOptions::kernels while the timer is on. Costs one atomic load, since every launch calls
  /// it.
  bool wants_kernels() const { return kernels_.load(std::memory_order_relaxed); }
  bool wants_passes() const { return enabled() && passes_.load(std::memory_order_relaxed); }
  void set_allocation_counter(AllocationCounter counter); ///< before enable(); null turns the columns off

  TimingReport report() const;    ///< the report without kernels; any thread may call it
  std::string trace_json() const; ///< Chrome / Perfetto trace events; empty unless enabled with trace events
  /// Returns OpenTelemetry spans (OTLP/JSON) of the report's process, jobs and products, and of single stages
  /// if enabled with trace events. Leaves out spans beyond about `max_bytes`; the first span says how many.
  std::string spans_json(const TimingReport &report, size_t max_bytes) const;

  /// Begins a stage within the open stage of this thread. Returns a token for leave(). `start`: time of the
  /// beginning on the clock of now(); 0: now.
  using Token = TimingToken;
  Token enter(std::string_view name, uint64_t start = 0);
  void leave(const Token &token);
  /// Adds a finished stage of this thread.
  void add(std::string_view name, uint64_t start, uint64_t end);
  /// Adds a trace event in the row of a device: a kernel that ran there. Does nothing without trace events.
  void add_device_event(std::string_view device, std::string_view name, uint64_t start, uint64_t duration);
  bool wants_events() const; ///< TimingOptions::trace_events
  /// Adds stages of another process within the open stage of this thread, which waited for them. `rows` are
  /// in depth-first order. Their allocations are ignored, since another process made them.
  void add_rows(std::span<const TimingRow> rows);
  /// Begins work for a job: until leave_job, stages of this thread count for the job. Name, target and config
  /// identify the job (TimingJob). Within another job, that job gets a row "other job". Within the same job,
  /// nothing changes. `continues`: the request of the job was counted before.
  Token enter_job(std::string_view name, std::string_view target, std::string_view config = {},
                  bool continues = false);
  void leave_job(const Token &token);

  // These functions describe the current job of this thread. Without a job they do nothing.
  void set_job_key(std::string_view hex);
  void note_lookup(std::string_view product, std::string_view answer, std::string_view reason);
  void note_product(TimingProduct product);              ///< its start and end are on the clock of now()
  void note_place(std::string_view file, uint32_t line); ///< sets TimingJob::file and line
  bool knows_place() const; ///< true if this thread's job has a place, or if there is no job
  void note_dump(std::string_view product, std::string_view path); ///< adds to TimingJob::dumps
  /// Adds the job's share of a stage that was timed once for several jobs. The share counts for the job, but
  /// not for the thread, which timed the whole stage.
  void add_share(std::string_view name, uint64_t nanoseconds);
  // Sets facts of TimingProcess in the report. Only the first call of each function has an effect.
  void note_session(std::string_view build, std::string_view cache_folder);
  void note_gpu(std::string_view name);
  /// Adds a warning to the report.
  void warn(std::string_view stage, std::string_view text);

  /// Records the number of LLVM instructions of the module before and after an open stage. Returns true, and
  /// adds a warning to the report, if the stage multiplied them suspiciously.
  bool note_instructions(const Token &token, uint64_t before, uint64_t after);

  /// Returns the timer of this thread's open scope; null if there is none or it is off. It serves code
  /// without access to a session, such as contended locks and opening libraries.
  static Timer *of_thread();
  static uint64_t now(); ///< nanoseconds on the steady clock

private:
  struct KILN_LOCAL State;
  std::unique_ptr<State> state_;
  std::atomic<bool> enabled_{false}, passes_{false}, kernels_{false};
};

/// RAII: times the rest of the block as one stage. A null timer times nothing.
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

/// Takes a lock. If another thread holds it, the wait is timed as `stage`. `timer` is null or
/// Timer::of_thread().
template <class Lock> void lock_timed(Lock &lock, Timer *timer, Stage stage) {
  if (lock.try_lock()) return;
  StageScope scope(timer, stage);
  lock.lock();
}

} // namespace kiln
