// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ends compiled code from outside, at no cost to that code. Requests of stop sources (kiln/stop.h) wake one
// thread of the process, which calls the StopWatches of what is to stop. Code that looks at
// NativeThread::stop then ends by itself. Other code ends at any instruction: the thread sends a signal
// (SIGURG) to each thread that runs compiled code, and its handler jumps out where the code is told to stop.
// Compiled code holds no locks and owns nothing, so its frames need no unwinding. In a function of the C
// library or of Kiln the handler leaves the thread alone, and the signal is sent again a millisecond later.
//
// The signal has another handler only while an interruption is under way.
#pragma once

#include <kiln/result.h>
#include <support/stop_state.h>

#include <atomic>
#include <csetjmp>

namespace kiln {

KILN_PROGRAMS_API Error interrupt_error(); ///< InterruptException

/// Calls stop(context) once, when the token is stopped: on the thread for interruptions, or here if it is
/// stopped already. `stop` must be quick. When the destructor has returned, no call is under way. Without a
/// source it does nothing.
class StopWatch {
public:
  using Stop = void (*)(void *context);
  StopWatch(const StopToken &token, Stop stop, void *context)
      : token_(token), stop_(stop), context_(context) {
    if (token_) [[unlikely]]
      begin();
  }
  ~StopWatch() {
    if (token_) [[unlikely]]
      end();
  }
  StopWatch(const StopWatch &) = delete;
  StopWatch &operator=(const StopWatch &) = delete;
  /// Under the mutex of all watches.
  void call_if_stopped() {
    if (was_called_ || !token_.is_stopped()) return;
    was_called_ = true;
    stop_(context_);
  }

private:
  void begin();
  void end();
  const StopToken &token_;
  const Stop stop_;
  void *const context_;
  bool was_called_ = false;
};

/// A call of compiled code on this thread. When *flag has become `limit` or more and
/// interrupt_compiled_code() was called, it ends by longjmp(back, ended_by_interrupt). Null `flag`: it is not
/// interrupted, also where a host function of a call that is to stop makes it. Cost: a few nanoseconds.
class CompiledScope {
public:
  static constexpr int ended_by_interrupt = 2;
  CompiledScope(const std::atomic<uint64_t> *flag, uint64_t limit, std::jmp_buf &back);
  ~CompiledScope();
  CompiledScope(const CompiledScope &) = delete;
  CompiledScope &operator=(const CompiledScope &) = delete;
  bool is_stopped() const { return flag_ && flag_->load() >= limit_; }
  std::jmp_buf &back() const { return back_; }
  const CompiledScope *outer() const { return outer_; }

private:
  const std::atomic<uint64_t> *const flag_;
  const uint64_t limit_;
  std::jmp_buf &back_;
  CompiledScope *outer_ = nullptr;
  bool is_noted_ = false; ///< for the handler
};

/// Starts the process's thread for interruptions, once. Some ns where it runs.
void start_interruptions();
/// Ends compiled code that is to stop. Async-signal-safe; start_interruptions() comes first.
void interrupt_compiled_code();

} // namespace kiln
