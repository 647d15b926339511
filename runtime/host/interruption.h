// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ends compiled code from outside, at no cost to that code. A stop request (kiln/stop.h) wakes the process's
// interruption thread, which calls the StopWatches of the stopped token. Code that tests NativeThread::stop
// then ends by itself. Other code can end at any instruction: the interruption thread sends SIGURG to each
// thread that runs compiled code. The signal handler jumps out of code that must stop. Compiled code holds no
// locks and owns nothing, so that its frames need no unwinding. If the thread is in a function of the C
// library or of Kiln, the handler returns, and the thread gets another signal 1 ms later.
//
// Kiln's signal handler is installed only during an interruption.
#pragma once

#include <kiln/result.h>
#include <support/stop_state.h>

#include <atomic>
#include <csetjmp>

namespace kiln {

KILN_PROGRAMS_API Error interrupt_error(); ///< InterruptException

/// Calls stop(context) once when the token is stopped. The call is on the interruption thread, or in the
/// constructor for an already stopped token. `stop` must be quick. The destructor waits for a running call. A
/// token without a source is never stopped.
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
  /// Calls stop(context) if the token is stopped. The caller holds the mutex of all watches.
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

/// A call of compiled code on this thread. If *flag >= limit, interrupt_compiled_code() ends the call by
/// longjmp(back, ended_by_interrupt). A call with a null `flag` is never interrupted, even inside a host
/// function of an interrupted call. Cost: a few nanoseconds.
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
  bool is_noted_ = false; ///< the handler sees it
};

/// Starts the interruption thread of the process, unless it runs already (a few nanoseconds).
void start_interruptions();
/// Ends compiled code that must stop. Async-signal-safe; call start_interruptions() earlier.
void interrupt_compiled_code();

} // namespace kiln
