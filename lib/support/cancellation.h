// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work that may be told to stop. A Cancellation is the switch: whoever asked for the work keeps it, and sets
// it by cancel() or gives it a deadline. The thread that does the work names it in a CancellationScope, so
// that code at any depth (a stage's border, a wait for a worker process) can ask, without a parameter in
// every function between. Work that does not ask runs to its end.
#pragma once

#include <kiln/result.h>

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>

namespace kiln {

enum class StopReason : uint8_t { None, Cancelled, DeadlineExceeded };

/// Cheap to copy; copies are the same switch. Thread-safe. Once stopped it stays so, for the reason that came
/// first.
class Cancellation {
public:
  using Clock = std::chrono::steady_clock;

  Cancellation(); ///< a switch of its own, not set, without a deadline
  /// Sets it. The registered callbacks run on this thread before the call returns; later calls do nothing.
  void cancel() const { stop(StopReason::Cancelled); }
  /// As cancel(), for the reason DeadlineExceeded. Nobody watches the clock for the callbacks' sake: who
  /// keeps deadlines (a queue's thread, a wait with a time limit) calls it when the time has come.
  void expire() const { stop(StopReason::DeadlineExceeded); }
  /// The time after which reason() is DeadlineExceeded, whether or not somebody called expire().
  void set_deadline(Clock::time_point deadline) const;
  Clock::time_point deadline() const; ///< the clock's maximum: none
  /// A question that reason() asks each time: true is as cancel(), but calls no callbacks, since who asks may
  /// hold their locks. Set it before another thread may ask. It is called on the threads that ask, one at a
  /// time, and must outlive the work.
  void set_poll(std::function<bool()> poll) const;
  /// The time at which a wait for something else should ask reason() again: the deadline, or 5 ms from now if
  /// there is a poll. The clock's maximum: never, since callbacks wake it.
  Clock::time_point next_look() const;

  /// Some ns; with a deadline it reads the clock, some 25 ns.
  StopReason reason() const;
  bool is_stopped() const { return reason() != StopReason::None; }
  /// The error of the reason: Usage "Cancelled" (201), Machine "DeadlineExceeded" (302).
  Result<void> check() const;

private:
  friend class CancellationCallback;
  struct State;
  void stop(StopReason reason) const;
  std::shared_ptr<State> state_;
};

/// Calls `callback` once if the switch is set by cancel() or expire(): on the thread that sets it, or, if it
/// was set before, here. The destructor waits for a call that another thread is in; so `callback` neither
/// throws nor waits for who may destroy this. It may destroy it itself.
class CancellationCallback {
public:
  CancellationCallback(const Cancellation &cancellation, std::function<void()> callback);
  CancellationCallback(const CancellationCallback &) = delete;
  CancellationCallback &operator=(const CancellationCallback &) = delete;

private:
  std::stop_callback<std::function<void()>> callback_;
};

/// What the calling thread does from here on belongs to this switch, as long as the scope lives. Scopes nest:
/// the innermost counts. The switch outlives the scope. A null switch: the work can be stopped by nobody
/// (what a thread does for others while it has a job of its own under way).
class CancellationScope {
public:
  explicit CancellationScope(const Cancellation *cancellation);
  ~CancellationScope();
  CancellationScope(const CancellationScope &) = delete;
  CancellationScope &operator=(const CancellationScope &) = delete;

private:
  const Cancellation *const outer_;
};

/// The calling thread's switch; null: none.
const Cancellation *current_cancellation();
/// Whether the calling thread's work was told to stop.
inline bool cancellation_requested() {
  const Cancellation *current = current_cancellation();
  return current && current->is_stopped();
}
/// The error of it (Cancellation::check); none where nobody told it.
inline Result<void> check_cancellation() {
  const Cancellation *current = current_cancellation();
  return current ? current->check() : Result<void>();
}

Error cancelled_error();         ///< Usage, "Cancelled"
Error deadline_exceeded_error(); ///< Machine, "DeadlineExceeded"
/// Whether an error is one of these two: it is about who asked and not about the job, so it is never kept,
/// and who joined the job asks again.
bool is_stop(const Error &error);

} // namespace kiln
