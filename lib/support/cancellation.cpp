// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cancellation.h"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace kiln {

struct Cancellation::State {
  std::stop_source source; ///< calls the callbacks
  std::atomic<StopReason> reason{StopReason::None};
  std::atomic<Clock::time_point> deadline{Clock::time_point::max()};
  std::function<bool()> poll;
  std::mutex polling;
};

namespace {
thread_local const Cancellation *current = nullptr;
} // namespace

Cancellation::Cancellation() : state_(std::make_shared<State>()) {}

void Cancellation::stop(StopReason reason) const {
  const std::shared_ptr<State> state = state_; // a callback may destroy this
  StopReason before = StopReason::None;
  // Only the first reason counts and runs the callbacks. It is set before the callbacks run, so that they see
  // it.
  if (state->reason.compare_exchange_strong(before, reason, std::memory_order_acq_rel))
    state->source.request_stop();
}

void Cancellation::set_deadline(Clock::time_point deadline) const {
  state_->deadline.store(deadline, std::memory_order_relaxed);
}

Cancellation::Clock::time_point Cancellation::deadline() const {
  return state_->deadline.load(std::memory_order_relaxed);
}

void Cancellation::set_poll(std::function<bool()> poll) const { state_->poll = std::move(poll); }

Cancellation::Clock::time_point Cancellation::next_look() const {
  constexpr std::chrono::milliseconds slice{5};
  return state_->poll ? std::min(deadline(), Clock::now() + slice) : deadline();
}

StopReason Cancellation::reason() const {
  const StopReason reason = state_->reason.load(std::memory_order_acquire);
  if (reason != StopReason::None) return reason;
  if (state_->poll) {
    bool stops = false;
    if (std::unique_lock lock(state_->polling, std::try_to_lock); lock) stops = state_->poll();
    if (stops) {
      StopReason before = StopReason::None;
      state_->reason.compare_exchange_strong(before, StopReason::Cancelled, std::memory_order_acq_rel);
      return before == StopReason::None ? StopReason::Cancelled : before;
    }
  }
  const Clock::time_point end = deadline();
  return end != Clock::time_point::max() && Clock::now() >= end ? StopReason::DeadlineExceeded
                                                                : StopReason::None;
}

Result<void> Cancellation::check() const {
  switch (reason()) {
  case StopReason::None: break;
  case StopReason::Cancelled: return cancelled_error();
  case StopReason::DeadlineExceeded: return deadline_exceeded_error();
  }
  return {};
}

CancellationCallback::CancellationCallback(const Cancellation &cancellation, std::function<void()> callback)
    : callback_(cancellation.state_->source.get_token(), std::move(callback)) {}

CancellationScope::CancellationScope(const Cancellation *cancellation)
    : outer_(std::exchange(current, cancellation)) {}
CancellationScope::~CancellationScope() { current = outer_; }

const Cancellation *current_cancellation() { return current; }

Error cancelled_error() {
  return Error(Diagnostic{.code = ErrorCode::Cancelled, .message = "the job was cancelled"});
}

Error deadline_exceeded_error() {
  return Error(Diagnostic{.code = ErrorCode::DeadlineExceeded,
                          .message = "the job's deadline passed before its product was made",
                          .hint = "give it more time, or compile it ahead (kiln precompile)"});
}

bool is_stop(const Error &error) {
  return error.code() == ErrorCode::Cancelled || error.code() == ErrorCode::DeadlineExceeded;
}

} // namespace kiln
