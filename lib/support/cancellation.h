// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cancellable work. The caller keeps a Cancellation, and stops the work by cancel() or a deadline. The
// working thread names it in a CancellationScope. Code at any depth (the border of a stage, a wait for a
// worker process) can then check it without a parameter in each function. Work that does not check runs to
// its end.
#pragma once

#include <kiln/result.h>

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>

namespace kiln {

enum class StopReason : uint8_t { None, Cancelled, DeadlineExceeded };

/// A switch that stops work. Cheap to copy; copies share the switch. Thread-safe. The first reason is final.
class Cancellation {
public:
  using Clock = std::chrono::steady_clock;

  Cancellation(); ///< a new switch: not set, no deadline
  /// Sets the switch. The registered callbacks run on this thread before the call returns. Later calls do
  /// nothing.
  void cancel() const { stop(StopReason::Cancelled); }
  /// As cancel(), for the reason DeadlineExceeded. No thread of its own watches the clock. The keeper of a
  /// deadline (a queue's thread, a wait with a time limit) calls this when the time has come.
  void expire() const { stop(StopReason::DeadlineExceeded); }
  /// Sets the time after which reason() is DeadlineExceeded, even if no thread calls expire().
  void set_deadline(Clock::time_point deadline) const;
  Clock::time_point deadline() const; ///< the clock's maximum: no deadline
  /// Sets a function that reason() calls each time. Its result true means cancel(), but without the
  /// callbacks, because the caller of reason() may hold their locks. Set it before another thread calls
  /// reason(). It runs on those threads, one at a time, and must outlive the work.
  void set_poll(std::function<bool()> poll) const;
  /// The time at which a wait for another event should call reason() again. That is the deadline, or 5 ms
  /// from now if there is a poll. The clock's maximum: no need, since callbacks wake the wait.
  Clock::time_point next_look() const;

  /// Costs a few ns. With a deadline it reads the clock, about 25 ns.
  StopReason reason() const;
  bool is_stopped() const { return reason() != StopReason::None; }
  /// The reason's error: Usage "Cancelled" (201) or Machine "DeadlineExceeded" (302).
  Result<void> check() const;

private:
  friend class CancellationCallback;
  struct State;
  void stop(StopReason reason) const;
  std::shared_ptr<State> state_;
};

/// Calls `callback` once if cancel() or expire() sets the switch, on the thread that sets it. If the switch
/// is already set, the constructor calls it. The destructor waits for a running call on another thread.
/// `callback` must not throw, nor wait for a thread that may destroy this. It may destroy this itself.
class CancellationCallback {
public:
  CancellationCallback(const Cancellation &cancellation, std::function<void()> callback);
  CancellationCallback(const CancellationCallback &) = delete;
  CancellationCallback &operator=(const CancellationCallback &) = delete;

private:
  std::stop_callback<std::function<void()>> callback_;
};

/// Puts the calling thread's work under a switch while the scope lives. Scopes nest; the innermost counts.
/// The switch must outlive the scope. With a null switch the work cannot be cancelled. Use that for work on
/// behalf of other threads.
class CancellationScope {
public:
  explicit CancellationScope(const Cancellation *cancellation);
  ~CancellationScope();
  CancellationScope(const CancellationScope &) = delete;
  CancellationScope &operator=(const CancellationScope &) = delete;

private:
  const Cancellation *const outer_;
};

/// The calling thread's switch. Null: it has none.
const Cancellation *current_cancellation();
/// Returns true if the calling thread's work should stop.
inline bool cancellation_requested() {
  const Cancellation *current = current_cancellation();
  return current && current->is_stopped();
}
/// Returns the error of Cancellation::check. No error if the thread has no switch.
inline Result<void> check_cancellation() {
  const Cancellation *current = current_cancellation();
  return current ? current->check() : Result<void>();
}

Error cancelled_error();         ///< Usage, "Cancelled"
Error deadline_exceeded_error(); ///< Machine, "DeadlineExceeded"
/// Returns true for these two errors. They concern the caller and not the job. They are therefore never
/// cached, and a thread that joined the job tries again.
bool is_stop(const Error &error);

} // namespace kiln
