// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cancellation of work. The caller keeps a Cancellation, and stops the work by cancel() or a deadline. The
// working thread installs the Cancellation by a CancellationScope. Code at any depth (between stages, in
// waits for worker processes) can then check it without a parameter in each function. Code that does not
// check it runs to its end.
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

  Cancellation(); ///< makes a new switch, not set and without deadline
  /// Sets the switch. The registered callbacks run on this thread before the call returns. Later calls do
  /// nothing.
  void cancel() const { stop(StopReason::Cancelled); }
  /// Sets the switch like cancel(), with the reason DeadlineExceeded. The owner of a deadline (a queue's
  /// thread, a wait with a time limit) must call it when the deadline has passed: no other thread watches the
  /// clock.
  void expire() const { stop(StopReason::DeadlineExceeded); }
  /// Sets the time after which reason() is DeadlineExceeded, even if no thread calls expire().
  void set_deadline(Clock::time_point deadline) const;
  Clock::time_point deadline() const; ///< the clock's maximum: no deadline
  /// Sets a function that each call of reason() runs. If it returns true, the switch is set as by cancel().
  /// The registered callbacks do not run then, because the caller of reason() may hold their locks. Call
  /// set_poll before another thread calls reason(). `poll` runs on threads that call reason(), one at a time,
  /// and must outlive the work.
  void set_poll(std::function<bool()> poll) const;
  /// Returns the time at which a thread that waits for another event should call reason() again: the
  /// deadline, or 5 ms from now if a poll is set. The clock's maximum means never, since a
  /// CancellationCallback wakes the thread.
  Clock::time_point next_look() const;

  /// Returns why the work should stop, or None. Costs a few ns; with a deadline about 25 ns, since it reads
  /// the clock.
  StopReason reason() const;
  bool is_stopped() const { return reason() != StopReason::None; }
  /// Returns an error if the work should stop: Usage "Cancelled" (201) or Machine "DeadlineExceeded" (302).
  Result<void> check() const;

private:
  friend class CancellationCallback;
  struct State;
  void stop(StopReason reason) const;
  std::shared_ptr<State> state_;
};

/// Calls `callback` once if cancel() or expire() sets the switch, on the thread that sets it. If the switch
/// is already set, the constructor calls it. The destructor waits for a running call on another thread.
/// `callback` must not throw, nor wait for a thread that may destroy the object. It may itself destroy the
/// object.
class CancellationCallback {
public:
  CancellationCallback(const Cancellation &cancellation, std::function<void()> callback);
  CancellationCallback(const CancellationCallback &) = delete;
  CancellationCallback &operator=(const CancellationCallback &) = delete;

private:
  std::stop_callback<std::function<void()>> callback_;
};

/// Makes the calling thread's work cancellable by a switch while the scope lives. Scopes nest; only the
/// innermost one counts. The switch must outlive the scope. With a null switch the work cannot be cancelled,
/// as needed for work on behalf of other threads.
class CancellationScope {
public:
  explicit CancellationScope(const Cancellation *cancellation);
  ~CancellationScope();
  CancellationScope(const CancellationScope &) = delete;
  CancellationScope &operator=(const CancellationScope &) = delete;

private:
  const Cancellation *const outer_;
};

/// Returns the switch of the calling thread's innermost CancellationScope. Null: it has none.
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
/// Returns true for the errors Cancelled and DeadlineExceeded. They concern the caller, not the job. Caches
/// therefore never keep them, and another thread that waits for the same job compiles it itself.
bool is_stop(const Error &error);

} // namespace kiln
