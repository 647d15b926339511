// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ends compiled code from outside, at any instruction, at no cost to that code. A thread of the process sends
// a signal (SIGURG) to each thread that runs compiled code; its handler jumps out where the code is told to
// stop. Compiled code holds no locks and owns nothing, so its frames need no unwinding. In a function of the
// C library or of Kiln the handler leaves the thread alone, and the signal is sent again a millisecond later.
//
// The signal has another handler only while an interruption is under way.
#pragma once

#include <kiln/result.h>

#include <atomic>
#include <csetjmp>

namespace kiln {

/// On this thread a program runs, which `flag` interrupts: plain functions of compiled code that it calls
/// end, and its waits for kernels. Scopes nest.
class InterruptScope {
public:
  KILN_PROGRAMS_API explicit InterruptScope(std::atomic<bool> &flag);
  KILN_PROGRAMS_API ~InterruptScope();
  InterruptScope(const InterruptScope &) = delete;
  InterruptScope &operator=(const InterruptScope &) = delete;

private:
  std::atomic<bool> *const outer_;
};
/// Null: no scope on the calling thread.
std::atomic<bool> *interrupt_flag_of_this_thread();
KILN_PROGRAMS_API Error interrupt_error(); ///< InterruptException

/// A call of compiled code on this thread. When `stop` is set and interrupt_compiled_code() was called, it
/// ends by longjmp(back, ended_by_interrupt). Null `stop`: it is not interrupted. Cost: a few nanoseconds.
class CompiledScope {
public:
  static constexpr int ended_by_interrupt = 2;
  CompiledScope(const std::atomic<bool> *stop, std::jmp_buf &back);
  ~CompiledScope();
  CompiledScope(const CompiledScope &) = delete;
  CompiledScope &operator=(const CompiledScope &) = delete;
  const std::atomic<bool> *stop() const { return stop_; }
  std::jmp_buf &back() const { return back_; }

private:
  const std::atomic<bool> *const stop_;
  std::jmp_buf &back_;
  CompiledScope *outer_ = nullptr;
};

/// Starts the process's thread for interruptions, once.
KILN_PROGRAMS_API void start_interruptions();
/// Ends compiled code whose `stop` is set. Async-signal-safe; start_interruptions() comes first.
KILN_PROGRAMS_API void interrupt_compiled_code();

} // namespace kiln
